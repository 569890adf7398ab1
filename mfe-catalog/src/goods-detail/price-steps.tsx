import type { GoodsInfo } from '@shop/server/wire';
import { createTexts, pairs } from '@shop/shared/i18n';
import { formatMoney } from '@shop/shared/money';
import { useId } from 'react';
import { chosenStep, type Selection } from './selection';

export const { useTexts: useStepTexts } = createTexts(
  'catalog-steps',
  pairs({
    title: ['数量优惠', 'Quantity discounts'],
    quantity: ['数量', 'Quantity'],
    price: ['单价', 'Unit price'],
    from: ['{{count}} 件起', '{{count}} or more'],
    /** The same words as in the server's breakdown. */
    reached: ['满 {{count}} 件', '{{count}} or more'],
    first: ['1 件起', 'From 1'],
    now: ['当前', 'current'],
  }),
);

interface PriceStepsProps {
  goods: GoodsInfo;
  selection: Selection;
}

/** The price of one piece by quantity, with the current row marked. Renders nothing for a single price. */
export function PriceSteps({ goods, selection }: PriceStepsProps) {
  const { t } = useStepTexts();
  const title = useId();
  const spec = goods.specs.find(({ id }) => id === selection.specId);
  if (!spec?.steps) return null;
  const current = chosenStep(spec, selection.quantity)?.from ?? 1;
  const rows = [{ from: 1, price: spec.price }, ...spec.steps];
  return (
    <div className="catalog-steps">
      <p className="catalog-legend" id={title}>
        {t('title')}
      </p>
      <table aria-labelledby={title}>
        <thead>
          <tr>
            <th scope="col">{t('quantity')}</th>
            <th scope="col">{t('price')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ from, price }) => (
            <tr key={from} aria-current={from === current ? 'true' : undefined}>
              <th scope="row">
                {from === 1 ? t('first') : t('from', { count: from })}
                {from === current && <small> · {t('now')}</small>}
              </th>
              <td translate="no">{formatMoney(price, goods.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
