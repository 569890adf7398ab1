import { createTexts, pairs } from '@shop/shared/i18n';

export const { useTexts, t } = createTexts(
  'staff-articles',
  pairs({
    title: ['文章', 'Articles'],
    add: ['新建文章', 'New article'],
    all: ['返回文章列表', 'All articles'],
    empty: ['还没有文章', 'No articles yet'],
    updated: ['更新于 {{time}}', 'Changed {{time}}'],
    from: ['{{time}} 开始展示', 'Shown from {{time}}'],
    until: ['{{time}} 停止展示', 'Shown until {{time}}'],
    key: ['文章地址', 'Address of the article'],
    keyHint: [
      '小写字母、数字或连字符，例如 summer-sale；保存后不能修改',
      'Small letters, digits or hyphens, such as summer-sale; it stays as it is',
    ],
    begin: ['开始填写', 'Begin'],
    text: ['正文', 'Text'],
    name: ['标题', 'Title'],
    content: ['正文（HTML）', 'Text (HTML)'],
    contentHint: [
      '可用标题、段落、列表、表格、链接和图片，其他内容会被去掉。',
      'Headings, paragraphs, lists, tables, links and pictures stay; the rest is taken out.',
    ],
    sort: ['排序', 'Position'],
    sortHint: ['数字小的排在前面', 'Low numbers come first'],
    published: ['发布', 'Published'],
    publishedHint: ['不勾选即为草稿，买家看不到。', 'A draft is not shown to shoppers.'],
    preview: {
      zh: ['预览中文', 'Preview in Chinese'],
      en: ['预览英文', 'Preview in English'],
      title: ['预览', 'Preview'],
      empty: ['没有内容', 'Nothing to show'],
    },
  }),
);
export type Key = Parameters<typeof t>[0];
