import type { StaffArticle, StaffListedArticle } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useApi } from '../api';
import { EditPage, type EditPart, none } from '../edits/editor';
import { NewItem } from '../edits/key-form';
import { StateTag } from '../edits/state-tag';
import { articleRules } from '../generated/articles.rules';
import { type Column, ListPage, RowLink } from '../kit/list-table';
import { type Key, t as text, useTexts } from './articles-texts';

const newKey = { label: 'key', hint: 'keyHint', pattern: '[a-z0-9\\-]{1,60}' } as const;

/** `#/articles`, `#/articles/edit/<key>`, `#/articles/new`, `#/articles/new/<key>`. */
export function ArticlesPage({ place: [what, key] }: { place: string[] }) {
  const { t } = useTexts();
  const form = { path: 'articles', itemKey: key ?? '', parts, t, all: t('all') } as const;
  if (what === 'edit' && key) return <EditPage key={key} {...form} />;
  if (what === 'new' && key) return <EditPage key={key} {...form} fresh={freshArticle} />;
  if (what === 'new') return <NewItem t={t} list="articles" title="add" all="all" {...newKey} />;
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
  return <ListPage t={t} to={() => 'articles/new'} query={useApi('GET articles', {})} columns={columns} />;
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
