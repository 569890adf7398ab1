import type { GoodsInfo } from '@shop/server/wire';
import { formatMoney } from '@shop/shared/money';
import { Stepper } from '@shop/shared/ui';
import { useId } from 'react';
import { useTexts } from '../texts';
import { useGoodsTexts } from './goods-texts';
import { chosenStep, quantityLimits, type Selection } from './selection';

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

/** The price of one piece by quantity, with the current row marked. Renders nothing for a single price. */
export function PriceSteps({ goods, selection }: { goods: GoodsInfo; selection: Selection }) {
  const { t } = useGoodsTexts();
  const title = useId();
  const spec = goods.specs.find(({ id }) => id === selection.specId);
  if (!spec?.steps) return null;
  const current = chosenStep(spec, selection.quantity)?.from ?? 1;
  const rows = [{ from: 1, price: spec.price }, ...spec.steps];
  return (
    <div className="catalog-steps ui-ruled">
      <p className="catalog-legend" id={title}>
        {t('steps.title')}
      </p>
      <table className="ui-digits" aria-labelledby={title}>
        <thead>
          <tr>
            <th scope="col">{t('steps.quantity')}</th>
            <th scope="col">{t('price.unit')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ from, price }) => (
            <tr key={from} aria-current={from === current ? 'true' : undefined}>
              <th scope="row">
                {from === 1 ? t('steps.first') : t('steps.from', { count: from })}
                {from === current && <small> · {t('steps.now')}</small>}
              </th>
              <td translate="no">{formatMoney(price, goods.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
