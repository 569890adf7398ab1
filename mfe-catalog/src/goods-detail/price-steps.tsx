import type { GoodsInfo } from '@shop/server/wire';
import { formatMoney } from '@shop/shared/money';
import { useId } from 'react';
import { useGoodsTexts } from './goods-texts';
import { chosenStep, type Selection } from './selection';

interface PriceStepsProps {
  goods: GoodsInfo;
  selection: Selection;
}

/** The price of one piece by quantity, with the current row marked. Renders nothing for a single price. */
export function PriceSteps({ goods, selection }: PriceStepsProps) {
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
      <table aria-labelledby={title}>
        <thead>
          <tr>
            <th scope="col">{t('steps.quantity')}</th>
            <th scope="col">{t('steps.price')}</th>
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
