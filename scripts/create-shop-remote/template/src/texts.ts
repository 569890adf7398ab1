import { createTexts } from '@shop/shared/i18n';

export const { useTexts } = createTexts('__name__', {
  'zh-CN': {
    hello: {
      title: '你好，{{name}}',
      guest: '朋友',
      text: '这里是一个新页面。',
      home: '返回首页',
    },
  },
  en: {
    hello: {
      title: 'Hello, {{name}}',
      guest: 'there',
      text: 'This is a new page.',
      home: 'Go home',
    },
  },
});
