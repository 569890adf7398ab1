/** @jest-environment jsdom */
import { startWechatBridge } from './wechat-bridge';

const invoke = jest.fn();
beforeEach(() => {
  invoke.mockReset();
  window.WeixinJSBridge = undefined;
  document.body.innerHTML = `<div data-bridge='{"appId":"wx1"}' data-back="/cashier/1/return"><button>Pay</button></div>`;
});

it('the WeChat page opens the payment window with its parameters, and again on tap', () => {
  window.WeixinJSBridge = { invoke };
  startWechatBridge();
  expect(invoke).toHaveBeenCalledWith('getBrandWCPayRequest', { appId: 'wx1' }, expect.any(Function));
  document.querySelector('button')?.click();
  expect(invoke).toHaveBeenCalledTimes(2);
});

it('the WeChat page waits until WeChat has added its bridge', () => {
  startWechatBridge();
  document.querySelector('button')?.click();
  expect(invoke).not.toHaveBeenCalled();
  window.WeixinJSBridge = { invoke };
  document.dispatchEvent(new Event('WeixinJSBridgeReady'));
  expect(invoke).toHaveBeenCalledTimes(1);
});
