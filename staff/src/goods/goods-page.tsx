import type { StaffGoodsList, StaffListedGoods } from '@shop/server/wire';
import { GoodsStatus } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { Button, Empty, ErrorState, Skeleton, Tag } from '@shop/shared/ui';
import { useEffect, useState } from 'react';
import { call } from '../api';
import { money } from '../format';
import { go } from '../location';
import { Field } from '../parts';
import { GoodsForm } from './goods-form';
import { useTexts } from './texts';

/** `#/goods`, `#/goods/find/<words>/<page>`, `#/goods/edit/<key>`, `#/goods/new`. */
export function GoodsPage({ place: [what, text = '', page = '1'] }: { place: string[] }) {
  if (what === 'edit' && text) return <GoodsForm key={text} goodsKey={text} />;
  if (what === 'new') return <NewGoods />;
  return <GoodsList words={what === 'find' ? text : ''} page={Number(page) || 1} />;
}

function GoodsList({ words, page }: { words: string; page: number }) {
  const { t } = useTexts();
  const [text, setText] = useState(words);
  useEffect(() => setText(words), [words]);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['goods', words, page],
    queryFn: () => call<StaffGoodsList>(`goods?q=${encodeURIComponent(words)}&page=${page}`),
  });
  const placeOf = (at: number) => `goods/find/${encodeURIComponent(words)}/${at}`;
  return (
    <>
      <h1>
        {t('title')} {data && <span className="hint">{t('count', { count: data.total })}</span>}
      </h1>
      <form
        className="card row search"
        onSubmit={(event) => {
          event.preventDefault();
          go(`goods/find/${encodeURIComponent(text.trim())}`);
        }}
      >
        <div className="grow">
          <Field
            label={t('search')}
            hint={t('searchHint')}
            type="search"
            value={text}
            onValue={setText}
            maxLength={60}
            autoComplete="off"
          />
        </div>
        <Button type="submit" icon="search">
          {t('search')}
        </Button>
        <Button kind="secondary" icon="plus" onClick={() => go('goods/new')}>
          {t('add')}
        </Button>
      </form>
      <div className="list" aria-live="polite" aria-busy={isFetching}>
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && (
          <div className="card">
            <Skeleton lines={6} />
          </div>
        )}
        {data?.list.length === 0 && <Empty title={t('empty')} art="search" />}
        {data?.list.map((goods) => (
          <GoodsItem key={goods.key} goods={goods} />
        ))}
      </div>
      {data && data.total > data.limit && (
        <div className="row">
          <Button kind="secondary" disabled={page <= 1} onClick={() => go(placeOf(page - 1))}>
            {t('previous')}
          </Button>
          <Button kind="secondary" disabled={!data.has_more} onClick={() => go(placeOf(page + 1))}>
            {t('next')}
          </Button>
        </div>
      )}
    </>
  );
}

function GoodsItem({ goods }: { goods: StaffListedGoods }) {
  const { t, language } = useTexts();
  return (
    <a className="item" href={`#/goods/edit/${goods.key}`}>
      <span className="item__line">
        <strong className="cut">{goods.name[language]}</strong>
        {goods.price_change && (
          <Tag tone={goods.price_change.state === 'running' ? 'success' : 'accent'}>
            {t(goods.price_change.state === 'running' ? 'change.until' : 'change.fromDay', {
              time: formatDate(
                (goods.price_change.state === 'running' && goods.price_change.ends_at) || goods.price_change.starts_at,
              ),
            })}
          </Tag>
        )}
        {goods.status !== GoodsStatus.OnShelf && (
          <Tag tone={goods.status === GoodsStatus.VipShelf ? 'accent' : 'neutral'}>
            {t(goods.status === GoodsStatus.VipShelf ? 'vip' : 'offShelf')}
          </Tag>
        )}
      </span>
      <span className="item__line hint">
        <span className="cut">
          {goods.key} · {goods.prices.map(({ currency, price }) => money(price, currency)).join(' · ') || '—'}
        </span>
        <span>{goods.stock === null ? t('noLimit') : t('stock', { count: goods.stock })}</span>
      </span>
    </a>
  );
}

function NewGoods() {
  const { t } = useTexts();
  const [text, setText] = useState('');
  const [key, setKey] = useState('');
  if (key) return <GoodsForm goodsKey={key} isNew />;
  return (
    <>
      <h1>{t('add')}</h1>
      <form
        className="card narrow"
        onSubmit={(event) => {
          event.preventDefault();
          setKey(text);
        }}
      >
        <Field
          label={t('newKey')}
          hint={t('newKeyHint')}
          value={text}
          onValue={setText}
          pattern="[A-Za-z0-9_.+\-]{1,60}"
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <Button type="submit">{t('begin')}</Button>
      </form>
    </>
  );
}
