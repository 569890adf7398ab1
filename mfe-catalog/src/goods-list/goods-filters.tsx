import type { Category } from '@shop/server/wire';
import { RechargeType } from '@shop/shared/domain';
import { Chip, Skeleton } from '@shop/shared/ui';
import type { GoodsFilter } from '../common/goods.queries';
import { rechargeTypeKey } from '../common/recharge-type';
import { useTexts } from '../texts';
import { type SortOrder, sortOrders } from './goods-query';

interface GoodsFiltersProps {
  query: GoodsFilter;
  categories: Category[] | undefined;
  onChange: (next: Partial<GoodsFilter>) => void;
}

const sortKey = {
  default: 'sort.default',
  hot: 'sort.hot',
  new: 'sort.new',
  price_asc: 'sort.priceUp',
  price_desc: 'sort.priceDown',
  name: 'sort.name',
} as const satisfies Record<SortOrder, string>;

const places = [1, 2, 3, 4, 5, 6, 7, 8];

/** Categories, types and sort order: rows that scroll sideways on a phone, the left column on a desktop. */
export function GoodsFilters({ query, categories, onChange }: GoodsFiltersProps) {
  const { t } = useTexts();
  return (
    <div className="catalog-filters">
      <fieldset className="catalog-filters__row">
        <legend>{t('goodsList.categories')}</legend>
        <Chip selected={!query.category_id} onClick={() => onChange({ category_id: undefined })}>
          {t('goodsList.all')}
        </Chip>
        {categories
          ? categories.map((category) => (
              <Chip
                key={category.id}
                selected={query.category_id === category.id}
                onClick={() => onChange({ category_id: category.id })}
              >
                {category.name}
              </Chip>
            ))
          : places.map((place) => <Skeleton key={place} shape="block" width="84px" height="44px" />)}
      </fieldset>
      <div className="catalog-filters__selects">
        <select
          aria-label={t('goodsList.kinds')}
          value={query.recharge_type ?? ''}
          onChange={(event) => onChange({ recharge_type: Number(event.target.value) || undefined })}
        >
          <option value="">{t('goodsList.anyKind')}</option>
          {Object.values(RechargeType).map((type) => {
            const key = rechargeTypeKey(type);
            return (
              key && (
                <option key={type} value={type}>
                  {t(key)}
                </option>
              )
            );
          })}
        </select>
        <select
          aria-label={t('sort.label')}
          value={query.sort ?? 'default'}
          onChange={(event) => onChange({ sort: event.target.value === 'default' ? undefined : event.target.value })}
        >
          {sortOrders.map((order) => (
            <option key={order} value={order}>
              {t(sortKey[order])}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
