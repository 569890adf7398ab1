import type { StaffArticle, StaffListedArticle } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useApi } from '../api';
import { EditPage, type EditPart, none } from '../edits/editor';
import { NewItem, StateTag } from '../edits/parts';
import { articleRules } from '../generated/field-rules';
import { type Column, ListPage, RowLink } from '../kit/list-table';
import { pairTexts } from '../pair-texts';

const newKey = { label: 'key', hint: 'keyHint', pattern: '[a-z0-9\\-]{1,60}' } as const;

/** `#/articles`, `#/articles/edit/<key>`, `#/articles/new`, `#/articles/new/<key>`. */
export function ArticlesPage({ place: [what, key] }: { place: string[] }) {
  const { t } = useTexts();
  const form = { path: 'articles', itemKey: key ?? '', parts, t, all: t('all') } as const;
  if (what === 'edit' && key) return <EditPage key={key} {...form} />;
  if (what === 'new' && key) return <EditPage key={key} {...form} fresh={freshArticle} />;
  if (what === 'new') return <NewItem t={t} list="articles" title="add" {...newKey} />;
  return <ArticleList />;
}

function ArticleList() {
  const { t, language } = useTexts();
  const columns: Column<StaffListedArticle>[] = [
    {
      head: t('name'),
      cell: ({ key, title }) => <RowLink href={`#/articles/edit/${key}`}>{title[language]}</RowLink>,
    },
    { head: t('key'), cell: ({ key }) => key, kind: 'sign' },
    { head: t('at'), cell: periodTextOf, kind: 'sign' },
    { head: t('status'), cell: ({ state }) => <StateTag state={state} />, kind: 'sign' },
  ];
  return (
    <ListPage page="articles" t={t} to={() => 'articles/new'} query={useApi('GET articles', {})} columns={columns} />
  );
}

function periodTextOf({ state, starts_at, ends_at, updated_at }: StaffListedArticle): string {
  if (state === 'waiting') return text('from', { time: formatDate(starts_at) });
  if (ends_at && state !== 'hidden') return text('until', { time: formatDate(ends_at) });
  return text('updated', { time: formatDate(updated_at) });
}

/** A draft until staff publish it. */
const freshArticle: StaffArticle = {
  title: none,
  content: none,
  sort: 100,
  published: false,
  starts_at: null,
  ends_at: null,
};

const parts: EditPart<StaffArticle, Key>[] = [
  {
    title: 'text',
    fields: [
      { kind: 'texts', name: 'title', label: 'name', ...articleRules.title },
      { kind: 'texts', name: 'content', label: 'content', hint: 'contentHint', rows: 14, ...articleRules.content },
      { kind: 'number', name: 'sort', label: 'position', hint: 'positionHint', ...articleRules.sort },
      { kind: 'check', name: 'published', label: 'published', hint: 'publishedHint' },
    ],
  },
];

const { useTexts, t: text } = pairTexts('staff-articles', {
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
type Key = Parameters<typeof text>[0];
