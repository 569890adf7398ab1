import './price.css';
import type { Currency } from '../domain';
import { formatMoney } from '../money';
import { classNames } from './class-names';
import { VisuallyHidden } from './layout';
import { useTexts } from './texts';

interface PriceProps {
  /** Decimal string in major units, as in the API. */
  amount: string;
  currency: Currency;
  size?: 's' | 'm' | 'l';
  /** The original price, struck through. */
  original?: string;
  /** Marks the lowest of several prices: "From $0.95", "¥5.76 起". */
  from?: boolean;
}

export function Price({ amount, currency, size = 'm', original, from }: PriceProps) {
  const { t } = useTexts();
  return (
    <span className={classNames('ui-price', `ui-price--${size}`)}>
      {from && t('from') && <small className="ui-price__from">{t('from')}</small>}
      <span className="ui-price__amount" translate="no">
        {formatMoney(amount, currency)}
      </span>
      {from && t('andUp') && <small className="ui-price__from">{t('andUp')}</small>}
      {original !== undefined && original !== amount && (
        <>
          <VisuallyHidden>{t('originalPrice')}</VisuallyHidden>
          <s className="ui-price__original" translate="no">
            {formatMoney(original, currency)}
          </s>
        </>
      )}
    </span>
  );
}
