import type { StaffArticle, StaffListedArticle } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { Button, Checkbox } from '@shop/shared/ui';
import { useState } from 'react';
import { call } from '../api';
import { EditPage } from '../edits/edit-page';
import { InBoth } from '../edits/fields';
import { KeyForm } from '../edits/key-form';
import { labelOf } from '../edits/label-of';
import { StateTag } from '../edits/state-tag';
import { t as editText } from '../edits/texts';
import { Period } from '../edits/time-field';
import { NumberField, Part } from '../goods/inputs';
import { go } from '../location';
import { ListState } from '../parts';
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
  const query = useQuery({
    queryKey: ['articles'],
    queryFn: () => call<StaffListedArticle[]>('articles'),
  });
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
          <a key={article.key} className="item" href={`#/articles/edit/${article.key}`}>
            <span className="item__line">
              <strong className="cut">{article.title[language]}</strong>
              <StateTag state={article.state} />
            </span>
            <span className="item__line hint">
              <span className="cut">{article.key}</span>
              <span>{whenOf(article)}</span>
            </span>
          </a>
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
      <a className="back-link" href="#/articles">
        ‹ {t('all')}
      </a>
      <h1>{t('add')}</h1>
      <KeyForm label={t('key')} hint={t('keyHint')} pattern="[a-z0-9\-]{1,60}" submit={t('begin')} onKey={setKey} />
    </>
  );
}

const none = { 'zh-CN': '', en: '' };
/** A draft, until somebody publishes it. */
const freshArticle: StaffArticle = {
  title: none,
  content: none,
  sort: 100,
  published: false,
  starts_at: null,
  ends_at: null,
};

const fieldName = (path: string) =>
  labelOf(path, {
    title: text('name'),
    content: text('content'),
    sort: text('sort'),
    published: text('published'),
    starts_at: editText('period.from'),
    ends_at: editText('period.until'),
  });

function ArticleForm({ articleKey, isNew }: { articleKey: string; isNew?: boolean }) {
  const { t } = useTexts();
  return (
    <EditPage<StaffArticle>
      list="articles"
      all={t('all')}
      newTitle={articleKey}
      isNew={isNew}
      fresh={freshArticle}
      place="articles/edit"
      path="articles"
      itemKey={articleKey}
      label={fieldName}
    >
      {(draft, set) => (
        <>
          <Part title={t('text')}>
            <InBoth
              label={t('name')}
              value={draft.title}
              onValue={(title) => set({ title })}
              maxLength={100}
              required
            />
            <InBoth
              label={t('content')}
              rows={14}
              maxLength={30_000}
              value={draft.content}
              onValue={(content) => set({ content })}
            />
            <p className="hint">{t('contentHint')}</p>
            <Preview title={draft.title} content={draft.content} />
            <NumberField
              label={t('sort')}
              hint={t('sortHint')}
              value={draft.sort}
              min={0}
              onValue={(sort) => set({ sort: sort ?? 0 })}
            />
            <div>
              <Checkbox checked={draft.published} onChange={(published) => set({ published })}>
                {t('published')}
              </Checkbox>
              <p className="hint">{t('publishedHint')}</p>
            </div>
          </Part>
          <Period value={draft} set={set} />
        </>
      )}
    </EditPage>
  );
}
