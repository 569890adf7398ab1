import type { StaffArticle, StaffListedArticle } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { useApi } from '../api';
import { EditPage } from '../edits/editor';
import { NewItem } from '../edits/key-form';
import { StateTag } from '../edits/state-tag';
import { articleRules } from '../generated/articles.rules';
import { type FieldSpec, Fields, labelOf } from '../kit/fields';
import { type Column, ListHead, ListTable, RowLink } from '../kit/list-table';
import { none, Part, Period } from '../kit/part';
import { type Key, t as text, useTexts } from './articles-texts';

const newKey = { label: 'key', hint: 'keyHint', pattern: '[a-z0-9\\-]{1,60}' } as const;

/** `#/articles`, `#/articles/edit/<key>`, `#/articles/new`, `#/articles/new/<key>`. */
export function ArticlesPage({ place: [what, key] }: { place: string[] }) {
  const { t } = useTexts();
  if (what === 'edit' && key) return <ArticleForm key={key} articleKey={key} />;
  if (what === 'new' && key) return <ArticleForm key={key} articleKey={key} isNew />;
  if (what === 'new') return <NewItem t={t} list="articles" title="add" all="all" {...newKey} submit="begin" />;
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
    { head: t('when'), cell: periodTextOf, kind: 'sign' },
    { head: t('state'), cell: ({ state }) => <StateTag state={state} />, kind: 'sign' },
  ];
  return (
    <>
      <ListHead title={t('title')} add={t('add')} to={() => 'articles/new'} />
      <ListTable
        label={t('title')}
        query={useApi('GET articles', {})}
        empty={t('empty')}
        columns={columns}
        keyOf={({ key }) => key}
      />
    </>
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

const fields: FieldSpec<StaffArticle, Key>[] = [
  { kind: 'texts', name: 'title', label: 'name', ...articleRules.title },
  { kind: 'texts', name: 'content', label: 'content', hint: 'contentHint', rows: 14, ...articleRules.content },
  { kind: 'number', name: 'sort', label: 'sort', hint: 'sortHint', ...articleRules.sort },
  { kind: 'check', name: 'published', label: 'published', hint: 'publishedHint' },
];

function ArticleForm({ articleKey, isNew }: { articleKey: string; isNew?: boolean }) {
  const { t } = useTexts();
  return (
    <EditPage
      path="articles"
      itemKey={articleKey}
      fresh={isNew ? freshArticle : undefined}
      label={(path) => labelOf(fields, text, path)}
      all={t('all')}
    >
      {() => (
        <>
          <Part title={t('text')}>
            <Fields of={fields} t={t} />
          </Part>
          <Period />
        </>
      )}
    </EditPage>
  );
}
