import type { GoodsInfo } from '@shop/server/wire';
import { StockState } from '@shop/shared/domain';
import { compareMoney } from '@shop/shared/money';
import { Price } from '@shop/shared/ui';
import { useId } from 'react';
import { useTexts } from '../texts';
import { canBuy } from './selection';
import { TellMe } from './tell-me';

interface SpecPickerProps {
  goods: GoodsInfo;
  value: number | null;
  onChange: (specId: number) => void;
}

/** "300+30 Genesis Crystals": the number with the bonus, and the unit. */
const counted = /^([¥$€]?\d[\d,.]*(?:\s?[+×]\s?\d[\d,.]*)*)\s*(\D.*)$/;

function SpecName({ name }: { name: string }) {
  const [, number, unit] = counted.exec(name) ?? [];
  return (
    <span className="catalog-spec__name">
      {number ?? name}
      {unit && <small className="ui-muted"> {unit}</small>}
    </span>
  );
}

export function SpecPicker({ goods, value, onChange }: SpecPickerProps) {
  const { t } = useTexts();
  const name = useId();
  return (
    <fieldset className="catalog-fieldset">
      <legend className="catalog-legend">{t('goodsDetail.faceValue')}</legend>
      <div className="catalog-specs">
        {goods.specs.map((spec) => (
          <label key={spec.id} className="catalog-spec">
            <input
              type="radio"
              className="ui-covering-input"
              name={name}
              value={spec.id}
              checked={spec.id === value}
              disabled={!canBuy(spec)}
              onChange={() => onChange(spec.id)}
            />
            <span className="catalog-spec__box">
              <SpecName name={spec.name} />
              <Price
                amount={spec.price}
                currency={goods.currency}
                original={compareMoney(spec.original_price, spec.price) > 0 ? spec.original_price : undefined}
              />
              {spec.stock_state === StockState.Out && <span className="catalog-spec__note">{t('soldOut')}</span>}
              {spec.stock_state === StockState.Low && (
                <span className="catalog-spec__note">{t('goodsDetail.few')}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {goods.tells_stock && <TellMe goods={goods} />}
    </fieldset>
  );
}
