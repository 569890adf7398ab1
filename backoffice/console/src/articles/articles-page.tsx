import type { StaffArticle, StaffListedArticle } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { Button } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { editCalls } from '../edits/edit.api';
import { EditPage } from '../edits/editor';
import { KeyForm } from '../edits/key-form';
import { StateTag } from '../edits/state-tag';
import { type FieldSpec, Fields, labelOf } from '../forms/fields';
import { none, Part } from '../forms/part';
import { Period } from '../forms/period';
import { go } from '../location';
import { BackLink, Item, ListState } from '../parts';
import { Preview } from './preview';
import { t as text, useTexts } from './texts';

/** `#/articles`, `#/articles/edit/<key>`, `#/articles/new`. */
export function ArticlesPage({ place: [what, key] }: { place: string[] }) {
  if (what === 'edit' && key) return <ArticleForm key={key} articleKey={key} />;
  if (what === 'new') return <NewArticle />;
  return <ArticleList />;
}

function ArticleList() {
  const { t, language } = useTexts();
  const query = useApi('GET articles', {});
  const { data } = query;
  return (
    <>
      <div className="row">
        <h1 className="grow">{t('title')}</h1>
        <Button icon="plus" onClick={() => go('articles/new')}>
          {t('add')}
        </Button>
      </div>
      <ListState query={query} isEmpty={data?.length === 0} empty={t('empty')} />
      <div className="list">
        {data?.map((article) => (
          <Item
            key={article.key}
            href={`#/articles/edit/${article.key}`}
            title={article.title[language]}
            tags={<StateTag state={article.state} />}
            note={article.key}
            end={whenOf(article)}
          />
        ))}
      </div>
    </>
  );
}

function whenOf({ state, starts_at, ends_at, updated_at }: StaffListedArticle): string {
  if (state === 'waiting') return text('from', { time: formatDate(starts_at) });
  if (ends_at && state !== 'hidden') return text('until', { time: formatDate(ends_at) });
  return text('updated', { time: formatDate(updated_at) });
}

function NewArticle() {
  const { t } = useTexts();
  const [key, setKey] = useState('');
  if (key) return <ArticleForm articleKey={key} isNew />;
  return (
    <>
      <BackLink to="articles">{t('all')}</BackLink>
      <h1>{t('add')}</h1>
      <KeyForm t={t} label="key" hint="keyHint" submit={t('begin')} pattern="[a-z0-9\-]{1,60}" onKey={setKey} />
    </>
  );
}

/** A draft, until somebody publishes it. */
const freshArticle: StaffArticle = {
  title: none,
  content: none,
  sort: 100,
  published: false,
  starts_at: null,
  ends_at: null,
};

type ArticleField = FieldSpec<StaffArticle, Parameters<typeof text>[0]>;
const texts: ArticleField[] = [
  { kind: 'texts', name: 'title', label: 'name', maxLength: 100, required: true },
  { kind: 'texts', name: 'content', label: 'content', rows: 14, maxLength: 30_000 },
];
const order: ArticleField[] = [
  { kind: 'number', name: 'sort', label: 'sort', hint: 'sortHint', min: 0, required: true },
  { kind: 'check', name: 'published', label: 'published', hint: 'publishedHint' },
];

function ArticleForm({ articleKey, isNew }: { articleKey: string; isNew?: boolean }) {
  const { t } = useTexts();
  return (
    <EditPage
      calls={editCalls('articles')}
      itemKey={articleKey}
      fresh={isNew ? freshArticle : undefined}
      label={(path) => labelOf([...texts, ...order], text, path)}
      list="articles"
      all={t('all')}
      title={articleKey}
      place="articles/edit"
    >
      {(draft) => (
        <>
          <Part title={t('text')}>
            <Fields of={texts} t={t} />
            <p className="hint">{t('contentHint')}</p>
            <Preview title={draft.title} content={draft.content} />
            <Fields of={order} t={t} />
          </Part>
          <Period />
        </>
      )}
    </EditPage>
  );
}
