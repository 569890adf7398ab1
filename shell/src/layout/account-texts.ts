import { createTexts, pairs } from '@shop/shared/i18n';

/** In the chunk of the button and the menu that show them. */
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
