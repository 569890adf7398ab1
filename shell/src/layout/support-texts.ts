import { createTexts } from '@shop/shared/i18n';

/** These texts are loaded in the chunk of their dialog. */
export const { useTexts } = createTexts('shell', {
  support: {
    title: ['联系客服', 'Contact support'],
    hours: ['服务时间', 'Hours'],
    link: ['在线咨询', 'Chat with us'],
    scan: ['微信扫码，联系客服', 'Scan to chat with us on WeChat'],
    qrAlt: ['客服二维码', 'Support QR code'],
    empty: ['客服信息加载中', 'Loading'],
  },
});
