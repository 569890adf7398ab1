import { createTexts, pairs } from '@shop/shared/i18n';

/** In the chunk of the check. */
export const { t } = createTexts(
  'shell',
  pairs({
    wechat: {
      authorising: ['微信授权中..', 'WeChat authorising..'],
    },
  }),
);
