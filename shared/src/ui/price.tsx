import './price.css';
import { classNames } from './class-names';
import { VisuallyHidden } from './layout';
import { useTexts } from './texts';

const symbols = { CNY: '¥', USD: '$' } as const;

/** "1234.5", "CNY" -> "¥1,234.50". String arithmetic, no floating point. */
function spell(amount: string, currency: keyof typeof symbols): string {
  const match = /^\s*(-?)(\d+)(?:\.(\d{0,2})\d*)?\s*$/.exec(amount);
  if (!match) return `${symbols[currency]}${amount}`;
  const [, sign = '', whole = '0', fraction = ''] = match;
  return `${sign}${symbols[currency]}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`;
}

export interface PriceProps {
  /** Decimal string in major units, as on the wire. */
  amount: string;
  currency: 'CNY' | 'USD';
  size?: 's' | 'm' | 'l' | 'xl';
  /** The price before the reduction, struck through. */
  original?: string;
  /** The least of several prices: "From $0.95", "¥5.76 起". */
  from?: boolean;
  className?: string;
}

export function Price({ amount, currency, size = 'm', original, from, className }: PriceProps) {
  const { t } = useTexts();
  return (
    <span className={classNames('ui-price', `ui-price--${size}`, className)}>
      {from && t('from') && <small className="ui-price__from">{t('from')}</small>}
      <span className="ui-price__amount">{spell(amount, currency)}</span>
      {from && t('andUp') && <small className="ui-price__from">{t('andUp')}</small>}
      {original !== undefined && original !== amount && (
        <>
          <VisuallyHidden>{t('originalPrice')}</VisuallyHidden>
          <s className="ui-price__original">{spell(original, currency)}</s>
        </>
      )}
    </span>
  );
}
