import { createTexts, pairs } from '@shop/shared/i18n';

/** In the chunk of the dialogs that show them. */
export const { useTexts, messageKey } = createTexts(
  'shell',
  pairs({
    login: {
      intro: ['登录后即可下单、使用优惠券和查看卡密', 'Sign in to order, use coupons and see your card codes'],
      introToBuy: [
        '登录后将按你的选择自动下单，新手机号会自动注册',
        'Sign in and we’ll place your order right away. New here? Your number is all it takes.',
      ],
      byPassword: ['密码登录', 'Password'],
      byCode: ['验证码登录', 'Code'],
      mode: ['登录方式', 'How to sign in'],
      phone: ['手机号', 'Phone number'],
      phonePlaceholder: ['请输入手机号', 'Enter your phone number'],
      password: ['密码', 'Password'],
      passwordPlaceholder: ['请输入密码', 'Enter your password'],
      code: ['验证码', 'Verification code'],
      codePlaceholder: ['请输入 6 位验证码', '6-digit code'],
      codeHint: ['输完 6 位后自动登录', 'You’ll be signed in after the sixth digit'],
      submit: ['登录', 'Sign in'],
      agree: ['我已阅读并同意', 'I have read and agree to the '],
      agreement: ['《用户服务协议》', 'User service agreement'],
      comma: ['、', ', the '],
      and: ['和', ' and the '],
      privacy: ['《隐私政策》', 'Privacy policy'],
      guide: ['《儿童个人信息保护指引》', 'Children’s information protection guide'],
      noAccount: ['还没有账号？', 'No account yet?'],
      toRegister: ['注册', 'Register'],
      incomplete: ['登录没有完成，请再试一次', 'You are not signed in yet. Please try again.'],
    },
    register: {
      title: ['注册', 'Register'],
      intro: ['注册只需一分钟', 'It takes a minute'],
      introToBuy: ['注册后将按你的选择自动下单', 'Register and we’ll place your order right away'],
      submit: ['注册', 'Register'],
      hasAccount: ['已有账号？', 'Already have an account?'],
      toLogin: ['登录', 'Sign in'],
      passwordHint: ['8 至 32 个字符', '8 to 32 characters'],
    },
  }),
);
