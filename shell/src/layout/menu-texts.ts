import { createTexts } from '@shop/shared/i18n';

/** These texts are loaded in the chunks of drawer and footer. */
export const { useTexts: useMenuTexts } = createTexts('shell', {
  menu: {
    title: ['菜单', 'Menu'],
    articles: ['协议与说明', 'Agreements and guides'],
    follow: ['关注我们', 'Follow us'],
    support: ['联系客服', 'Contact support'],
  },
});
