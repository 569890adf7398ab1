import type { StaffListedGoods } from '@shop/backoffice/wire';
import { GoodsStatus } from '@shop/shared/domain';
import { formatMoney as money } from '@shop/shared/money';
import { listQueryOptions, useListQuery } from '@shop/shared/query';
import { Button, Tag } from '@shop/shared/ui';
import { api } from '../api';
import { NewItem } from '../edits/parts';
import { specRules } from '../generated/field-rules';
import { type Column, PagedTable, RowLink } from '../kit/list-table';
import { ProductSearch } from '../kit/search-form';
import { go } from '../location';
import { GoodsForm } from './goods-form';
import { useTexts } from './goods-texts';
import { PriceListPage } from './price-list-page';

const states = {
  [GoodsStatus.OnShelf]: { label: 'onShelf', tone: 'success' },
  [GoodsStatus.VipShelf]: { label: 'vip', tone: 'accent' },
  [GoodsStatus.OffShelf]: { label: 'offShelf', tone: 'neutral' },
} as const;
const newKey = { label: 'newKey', hint: 'newKeyHint', ...specRules.key } as const;

/**
 * `#/goods`, `#/goods/find/<words>`, `#/goods/edit/<key>`, `#/goods/new`, `#/goods/new/<key>`, `#/goods/prices/<words>`;
 * `#/goods/copy/<original>` and `#/goods/new/<key>/<original>` for a copy.
 */
export function GoodsPage({ place: [what, text = '', original] }: { place: string[] }) {
  const { t } = useTexts();
  if (what === 'edit' && text) return <GoodsForm key={text} goodsKey={text} />;
  if (what === 'prices') return <PriceListPage words={text} />;
  if (what === 'new' && text) return <GoodsForm key={text} goodsKey={text} original={original} isNew />;
  if (what === 'new' || what === 'copy')
    return <NewItem t={t} list="goods" title={text ? 'copy' : 'add'} all="all" {...newKey} original={text} />;
  return <GoodsList words={what === 'find' ? text : ''} />;
}

const goodsQuery = (q: string) =>
  listQueryOptions(
    ['goods', 'GET goods', q],
    (page, cursor) => api('GET goods', { q, page, cursor }),
    ({ key }) => key,
  );

function GoodsList({ words }: { words: string }) {
  const { t } = useTexts();
  const list = useListQuery(goodsQuery(words));
  return (
    <>
      <h1>
        {t('nav.goods')} {list.items.length > 0 && <span className="hint">{t('count', { count: list.total })}</span>}
      </h1>
      <ProductSearch
        page="goods"
        words={words}
        more={
          <>
            <Button kind="secondary" icon="plus" onClick={() => go('goods/new')}>
              {t('add')}
            </Button>
            <Button kind="secondary" onClick={() => go(`goods/prices/${encodeURIComponent(words)}`)}>
              {t('priceList')}
            </Button>
          </>
        }
      />
      <PagedTable
        label={t('nav.goods')}
        list={list}
        more={t('more')}
        empty={t('empty')}
        columns={useColumns()}
        keyOf={({ key }) => key}
      />
    </>
  );
}

function useColumns(): Column<StaffListedGoods>[] {
  const { t, language } = useTexts();
  return [
    {
      head: t('name'),
      cell: ({ key, name }) => (
        <RowLink href={`#/goods/edit/${key}`} note={key}>
          {name[language]}
        </RowLink>
      ),
    },
    {
      head: t('listPrice'),
      cell: ({ prices }) => prices.map(({ currency, price }) => money(price, currency)).join(' · ') || '—',
      kind: 'number',
    },
    {
      head: t('inStock'),
      cell: ({ stock }) => (stock === null ? t('noLimit') : stock),
      kind: 'number',
    },
    {
      head: t('status'),
      cell: ({ status }) => <Tag tone={states[status].tone}>{t(states[status].label)}</Tag>,
      kind: 'sign',
    },
  ];
}
