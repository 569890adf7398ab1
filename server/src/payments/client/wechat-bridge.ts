/** WeChat adds it to pages inside WeChat, and fires WeixinJSBridgeReady when it is there. */
declare global {
  interface Window {
    WeixinJSBridge?: { invoke(method: string, parameters: object, done: () => void): void };
  }
}

export function startWechatBridge(): void {
  const element = document.querySelector<HTMLElement>('[data-bridge]');
  if (!element) return;
  const { bridge = '{}', back = '/' } = element.dataset;
  // The window's answer is only a hint: the address it leads back to asks the provider.
  const pay = () =>
    window.WeixinJSBridge?.invoke('getBrandWCPayRequest', JSON.parse(bridge), () => location.replace(back));
  if (window.WeixinJSBridge) pay();
  else document.addEventListener('WeixinJSBridgeReady', pay);
  element.querySelector('button')?.addEventListener('click', pay);
}
