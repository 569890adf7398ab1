import { createTexts, pairs } from '@shop/shared/i18n';

/** These texts are loaded in the chunk of the button and the menu. */
export const { useTexts } = createTexts(
  'shell',
  pairs({
    account: {
      menu: ['我的账号', 'My account'],
      balance: ['钱包余额', 'Wallet balance'],
      signOut: ['退出登录', 'Sign out'],
    },
  }),
);
