import { Button, Icon, Sheet } from '@shop/shared/ui';
import { useState } from 'react';
import type { GoodsFilter } from '../common/goods.queries';
import { useTexts } from '../texts';
import { GoodsFilters, type GoodsFiltersProps } from './goods-filters';
import { countGoods } from './goods-query';

const none = { category_id: undefined, recharge_type: undefined, letter: undefined };

export function FilterSheet({ filter, counts, categories, onChange }: GoodsFiltersProps) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  const [draft, setDraft] = useState<Partial<GoodsFilter>>({});
  const chosen = { ...filter, ...draft };
  const inUse = Object.keys(none).filter((name) => filter[name as keyof typeof none] !== undefined).length;
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
            <Button kind="secondary" onClick={() => setDraft(none)}>
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
