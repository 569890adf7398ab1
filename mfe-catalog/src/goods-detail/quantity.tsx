import type { GoodsInfo } from '@shop/server/wire';
import { Stepper } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { quantityLimits, type Selection } from './selection';

interface QuantityProps {
  goods: GoodsInfo;
  selection: Selection;
  onChange: (quantity: number) => void;
}

/** A limit is shown only when the choice has reached it. */
export function Quantity({ goods, selection, onChange }: QuantityProps) {
  const { t } = useTexts();
  const { quantity } = selection;
  const { min, max, leftToday, leftEver } = quantityLimits(goods, selection);
  const least = min > 1 && quantity === min && t('goodsDetail.minQuantity', { count: min });
  const most =
    max > 0 &&
    max < 99 &&
    quantity === max &&
    (leftToday === max
      ? t('goodsDetail.leftToday', { count: max })
      : leftEver === max
        ? t('goodsDetail.perUser', { count: goods.limits.per_user })
        : t('goodsDetail.maxQuantity', { count: max }));
  // Non-breaking spaces keep each note on one line.
  const notes = [least, most].flatMap((note) => (note ? [note.replaceAll(' ', '\u00a0')] : []));
  return (
    <div className="catalog-quantity ui-ruled ui-row ui-spread">
      <div>
        <span className="catalog-legend">{t('goodsDetail.quantity')}</span>
        <p className="catalog-hint ui-hint" aria-live="polite">
          {notes.join(' · ')}
        </p>
      </div>
      {max === 0 ? (
        <p role="status" className="catalog-hint ui-hint is-wrong">
          {t('goodsDetail.noneLeft')}
        </p>
      ) : (
        <Stepper label={t('goodsDetail.quantity')} value={quantity} min={min} max={max} onChange={onChange} />
      )}
    </div>
  );
}
