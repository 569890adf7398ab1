import { createTexts } from '@shop/shared/i18n';

export const { useTexts } = createTexts('__name__', {
  hello: {
    title: ['你好，{{name}}', 'Hello, {{name}}'],
    guest: ['朋友', 'there'],
    text: ['这里是一个新页面。', 'This is a new page.'],
    home: ['返回首页', 'Go home'],
  },
});
