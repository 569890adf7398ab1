import type { StaffListedGoods } from '@shop/server/wire';
import { GoodsStatus } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { Button, Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { KeyForm } from '../edits/key-form';
import { money } from '../format';
import { SearchForm } from '../forms/search-form';
import { go } from '../location';
import { Item, ListState } from '../parts';
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
  const query = useApi('GET goods', { q: words, page });
  const { data, isFetching } = query;
  const placeOf = (at: number) => `goods/find/${encodeURIComponent(words)}/${at}`;
  return (
    <>
      <h1>
        {t('title')} {data && <span className="hint">{t('count', { count: data.total })}</span>}
      </h1>
      <SearchForm
        t={t}
        words={words}
        label="search"
        hint="searchHint"
        submit={t('search')}
        onSearch={(wanted) => go(`goods/find/${encodeURIComponent(wanted)}`)}
        more={
          <Button kind="secondary" icon="plus" onClick={() => go('goods/new')}>
            {t('add')}
          </Button>
        }
      />
      <div className="list" aria-live="polite" aria-busy={isFetching}>
        <ListState query={query} isEmpty={data?.list.length === 0} empty={t('empty')} art="search" />
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
  const { key, name, status, price_change, prices, stock } = goods;
  const isVip = status === GoodsStatus.VipShelf;
  const tags = (
    <>
      {price_change && <PriceChangeTag change={price_change} />}
      {status !== GoodsStatus.OnShelf && <Tag tone={isVip ? 'accent' : 'neutral'}>{t(isVip ? 'vip' : 'offShelf')}</Tag>}
    </>
  );
  return (
    <Item
      href={`#/goods/edit/${key}`}
      title={name[language]}
      tags={tags}
      note={`${key} · ${prices.map(({ currency, price }) => money(price, currency)).join(' · ') || '—'}`}
      end={stock === null ? t('noLimit') : t('stock', { count: stock })}
    />
  );
}

function PriceChangeTag({ change }: { change: NonNullable<StaffListedGoods['price_change']> }) {
  const { t } = useTexts();
  if (change.state !== 'running')
    return <Tag tone="accent">{t('change.fromDay', { time: formatDate(change.starts_at) })}</Tag>;
  return <Tag tone="success">{t('change.until', { time: formatDate(change.ends_at || change.starts_at) })}</Tag>;
}

function NewGoods() {
  const { t } = useTexts();
  const [key, setKey] = useState('');
  if (key) return <GoodsForm goodsKey={key} isNew />;
  return (
    <>
      <h1>{t('add')}</h1>
      <KeyForm
        t={t}
        label="newKey"
        hint="newKeyHint"
        submit={t('begin')}
        pattern="[A-Za-z0-9_.+\-]{1,60}"
        onKey={setKey}
      />
    </>
  );
}
