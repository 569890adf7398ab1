import type { PaymentMethod } from '@shop/server/wire';
import type { Currency } from '@shop/shared/domain';
import { formatMoney, toMinor } from '@shop/shared/money';
import { useTexts } from '../texts';

interface MethodFieldProps {
  methods: PaymentMethod[];
  value: string;
  onChange: (code: string) => void;
  currency: Currency;
}

export function MethodField({ methods, value, onChange, currency }: MethodFieldProps) {
  const { t } = useTexts();
  const money = (amount: string) => formatMoney(amount, currency);
  return (
    <fieldset className="account-methods ui-stack" aria-label={t('recharge.method')}>
      {methods.map((item) => (
        <label key={item.code} className="account-choice ui-row">
          <input
            type="radio"
            name="method"
            checked={value === item.code}
            disabled={!item.enabled}
            onChange={() => onChange(item.code)}
          />
          <span className="ui-grow">
            {item.name}
            {item.enabled && toMinor(item.max) > 0 ? (
              <small>{t('recharge.range', { min: money(item.min), max: money(item.max) })}</small>
            ) : null}
          </span>
          <span className="ui-muted">
            {!item.enabled
              ? item.reason || t('recharge.unavailable')
              : toMinor(item.fee) > 0
                ? t('recharge.fee', { amount: money(item.fee) })
                : t('recharge.noFee')}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
