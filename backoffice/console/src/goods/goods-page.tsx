import type { StaffListedGoods } from '@shop/server/wire';
import { GoodsStatus } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { Button, Tag } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { KeyForm } from '../edits/key-form';
import { money } from '../format';
import { go } from '../location';
import { ListState, SearchForm } from '../parts';
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
        words={words}
        label={t('search')}
        hint={t('searchHint')}
        submit={t('search')}
        onSearch={(wanted) => go(`goods/find/${encodeURIComponent(wanted)}`)}
      >
        <Button kind="secondary" icon="plus" onClick={() => go('goods/new')}>
          {t('add')}
        </Button>
      </SearchForm>
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
