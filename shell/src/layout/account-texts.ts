import { createTexts } from '@shop/shared/i18n';

export const { useTexts } = createTexts('shell', {
  account: {
    menu: ['我的账号', 'My account'],
    balance: ['钱包余额', 'Wallet balance'],
    signOut: ['退出登录', 'Sign out'],
  },
});
