import type { GoodsInfo } from '@shop/server/wire';
import { Stepper } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { quantityLimits, type Selection } from './selection';

interface QuantityProps {
  goods: GoodsInfo;
  selection: Selection;
  onChange: (quantity: number) => void;
}

/** The quantity, with its limits shown beforehand. */
export function Quantity({ goods, selection, onChange }: QuantityProps) {
  const { t } = useTexts();
  const { min, max, leftToday } = quantityLimits(goods, selection);
  // Each on one line.
  const notes = [
    max > 0 && max < 99 && t('goodsDetail.maxQuantity', { count: max }),
    min > 1 && t('goodsDetail.minQuantity', { count: min }),
    goods.limits.per_user > 0 && t('goodsDetail.perUser', { count: goods.limits.per_user }),
    leftToday !== null && t('goodsDetail.leftToday', { count: leftToday }),
  ].flatMap((note) => (note ? [note.replaceAll(' ', '\u00a0')] : []));
  return (
    <div className="catalog-quantity ui-row ui-spread">
      <div>
        <span className="catalog-legend">{t('goodsDetail.quantity')}</span>
        {notes.length > 0 && <p className="catalog-hint ui-hint">{notes.join(' · ')}</p>}
      </div>
      {max === 0 ? (
        <p role="status" className="catalog-hint ui-hint is-wrong">
          {t('goodsDetail.noneLeft')}
        </p>
      ) : (
        <Stepper label={t('goodsDetail.quantity')} value={selection.quantity} min={min} max={max} onChange={onChange} />
      )}
    </div>
  );
}
