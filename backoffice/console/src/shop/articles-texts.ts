import { pairTexts } from '../pair-texts';

export const { useTexts, t } = pairTexts('staff-articles', {
  title: ['文章', 'Articles'],
  add: ['新建文章', 'New article'],
  all: ['返回文章列表', 'All articles'],
  empty: ['还没有文章', 'No articles yet'],
  updated: ['更新于 {{time}}', 'Updated {{time}}'],
  from: ['{{time}} 开始展示', 'Shown from {{time}}'],
  until: ['{{time}} 停止展示', 'Shown until {{time}}'],
  key: ['文章地址', 'Article address'],
  keyHint: [
    '小写字母、数字或连字符，例如 summer-sale；保存后不能修改',
    'Lowercase letters, digits or hyphens, such as summer-sale; can’t be changed later',
  ],
  text: ['正文', 'Text'],
  name: ['标题', 'Title'],
  content: ['正文（HTML）', 'Text (HTML)'],
  contentHint: [
    '可用标题、段落、列表、表格、链接和图片，其他内容会被去掉。',
    'Headings, paragraphs, lists, tables, links and pictures are kept; anything else is removed.',
  ],
  published: ['发布', 'Published'],
  publishedHint: ['不勾选即为草稿，买家看不到。', 'Untick to keep it as a draft, hidden from customers.'],
});
export type Key = Parameters<typeof t>[0];
