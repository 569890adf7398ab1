import type { Category, GoodsCount } from '@shop/server/wire';
import { RechargeType, rechargeKind } from '@shop/shared/domain';
import { Button, classNames, Icon, Sheet, Skeleton } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import type { GoodsFilter } from '../common/goods.queries';
import { useTexts } from '../texts';
import { countGoods, filterNames, letters } from './goods-query';

interface GoodsFiltersProps {
  filter: GoodsFilter;
  categories: Category[] | undefined;
  /** Undefined until they are loaded, and for a search, to which they do not apply. */
  counts: GoodsCount[] | undefined;
  onChange: (next: Partial<GoodsFilter>) => void;
}

const places = [1, 2, 3, 4, 5, 6, 7, 8];

export function GoodsFilters({ filter, categories, counts, onChange }: GoodsFiltersProps) {
  const { t } = useTexts();
  const option = (change: Partial<GoodsFilter>, label: ReactNode) => {
    const [[name, value]] = Object.entries(change) as [[keyof GoodsFilter, GoodsFilter[keyof GoodsFilter]]];
    const chosen = filter[name] === value;
    const count = counts && countGoods(counts, { ...filter, ...change });
    return (
      <button
        key={String(value)}
        type="button"
        className={classNames('catalog-filter ui-row ui-gap-2 ui-spread', count === 0 && 'is-empty')}
        aria-pressed={chosen}
        onClick={() => onChange(chosen ? { [name]: undefined } : change)}
      >
        {label}
        {name !== 'letter' && <span className="catalog-filter__count ui-digits">{count}</span>}
      </button>
    );
  };
  return (
    <>
      <fieldset className="catalog-filters ui-row ui-gap-2 ui-wrap">
        <legend className="ui-muted">{t('goodsList.categories')}</legend>
        {option({ category_id: undefined }, t('goodsList.all'))}
        {categories
          ? categories.map((category) => option({ category_id: category.id }, category.name))
          : places.map((place) => <Skeleton key={place} shape="block" width="100%" height="44px" />)}
      </fieldset>
      <fieldset className="catalog-filters ui-row ui-gap-2 ui-wrap">
        <legend className="ui-muted">{t('goodsList.kinds')}</legend>
        {Object.values(RechargeType).map((type) => {
          const kind = rechargeKind(type);
          return kind && option({ recharge_type: type }, t(`kind.${kind}`));
        })}
      </fieldset>
      <fieldset className="catalog-filters ui-row ui-gap-2 ui-wrap catalog-filters--letters">
        <legend className="ui-muted">{t('goodsList.letters')}</legend>
        {letters.map((letter) => option({ letter }, letter))}
      </fieldset>
    </>
  );
}

export function FilterSheet({ filter, counts, categories, onChange }: GoodsFiltersProps) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState<Partial<GoodsFilter>>({});
  const chosen = { ...filter, ...draft };
  const inUse = filterNames.filter((name) => filter[name] !== undefined).length;
  const show = () => {
    setDraft({});
    setOpen(true);
  };
  const apply = () => {
    onChange(draft);
    setOpen(false);
  };
  return (
    <>
      <button
        type="button"
        className="catalog-filter-button"
        aria-haspopup="dialog"
        aria-label={inUse > 0 ? t('goodsList.filtersInUse', { count: inUse }) : undefined}
        onClick={show}
      >
        <Icon name="filter" size={20} />
        {t('goodsList.filters')}
        {inUse > 0 && (
          <span className="catalog-filter-button__count" aria-hidden="true">
            {inUse}
          </span>
        )}
      </button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('goodsList.filters')}
        footer={
          <>
            <Button
              kind="secondary"
              onClick={() => setDraft(Object.fromEntries(filterNames.map((name) => [name, undefined])))}
            >
              {t('goodsList.clear')}
            </Button>
            <Button onClick={apply}>
              {counts ? t('goodsList.show', { count: countGoods(counts, chosen) }) : t('done')}
            </Button>
          </>
        }
      >
        <div className="ui-stack ui-gap-5">
          <GoodsFilters
            filter={chosen}
            counts={counts}
            categories={categories}
            onChange={(next) => setDraft({ ...draft, ...next })}
          />
        </div>
      </Sheet>
    </>
  );
}
