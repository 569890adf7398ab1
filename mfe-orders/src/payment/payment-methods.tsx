import type { PaymentMethod } from '@shop/server/wire';
import type { Currency } from '@shop/shared/domain';
import { compareMoney, formatMoney } from '@shop/shared/money';
import { Icon, VisuallyHidden } from '@shop/shared/ui';
import { type ReactNode, useId } from 'react';
import { useTexts } from '../texts';

/** Icons and plain text, because providers' logos are protected. */
const marks: Record<string, ReactNode> = {
  balance: <Icon name="wallet" size={22} />,
  wechat: '微',
  alipay: '支',
};

interface PaymentMethodsProps {
  methods: PaymentMethod[];
  value: string;
  onChange: (code: string) => void;
  currency: Currency;
  /** Null until the user is known. */
  balance: string | null;
  /** Amount that the balance lacks; null if it suffices. */
  missing: string | null;
}

export function PaymentMethods({ methods, value, onChange, currency, balance, missing }: PaymentMethodsProps) {
  const { t } = useTexts();
  const group = useId();
  const note = (method: PaymentMethod): string => {
    if (!method.enabled) return method.reason;
    if (method.code === 'balance') {
      // An empty line keeps the space until the balance is known.
      if (balance === null) return '\u00a0';
      const has = t('pay.balanceHas', { amount: formatMoney(balance, currency) });
      return missing === null ? has : `${has} · ${t('pay.short', { amount: formatMoney(missing, currency) })}`;
    }
    const next = t(method.code === 'wechat' ? 'pay.byScan' : 'pay.byCashier');
    return compareMoney(method.fee, '0.00') > 0
      ? `${next} · ${t('pay.fee', { amount: formatMoney(method.fee, currency) })}`
      : next;
  };
  return (
    <fieldset className="ui-card orders-methods">
      <legend>
        <VisuallyHidden>{t('pay.title')}</VisuallyHidden>
      </legend>
      {methods.map((method) => (
        <label key={method.code} className="orders-methods__item ui-row">
          <span className={`orders-mark orders-mark--${method.code}`} aria-hidden="true">
            {marks[method.code] ?? <Icon name="card" size={22} />}
          </span>
          <span className="orders-methods__text ui-grow">
            <span className="ui-bold">{method.name}</span>
            {note(method) && <span className="orders-methods__note">{note(method)}</span>}
          </span>
          <input
            type="radio"
            name={group}
            value={method.code}
            disabled={!method.enabled}
            checked={method.code === value}
            onChange={() => onChange(method.code)}
          />
        </label>
      ))}
    </fieldset>
  );
}
