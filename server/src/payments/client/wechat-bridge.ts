/** WeChat adds this object to pages in its in-app browser, and fires WeixinJSBridgeReady when it exists. */
declare global {
  interface Window {
    WeixinJSBridge?: { invoke(method: string, parameters: object, done: () => void): void };
  }
}

export function startWechatBridge(): void {
  const element = document.querySelector<HTMLElement>('[data-bridge]');
  if (!element) return;
  const { bridge = '{}', back = '/' } = element.dataset;
  // The callback's result is only a hint: the return address asks the provider.
  const pay = () =>
    window.WeixinJSBridge?.invoke('getBrandWCPayRequest', JSON.parse(bridge), () => location.replace(back));
  if (window.WeixinJSBridge) pay();
  else document.addEventListener('WeixinJSBridgeReady', pay);
  element.querySelector('button')?.addEventListener('click', pay);
}

startWechatBridge();
