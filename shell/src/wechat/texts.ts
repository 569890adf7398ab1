import { createTexts } from '@shop/shared/i18n';

/** These texts are loaded in the chunk of the check. */
export const { t } = createTexts('shell', {
  wechat: {
    authorising: ['微信授权中..', 'WeChat authorising..'],
  },
});
