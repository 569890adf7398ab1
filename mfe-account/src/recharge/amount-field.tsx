import type { RechargeOptions } from '@shop/server/wire';
import { compareMoney, formatMoney } from '@shop/shared/money';
import type { RefObject } from 'react';
import { useTexts } from '../texts';

export const customAmount = 'custom';

interface AmountFieldProps {
  options: RechargeOptions;
  choice: string;
  onChoose: (choice: string) => void;
  typed: string;
  onType: (typed: string) => void;
  onBlur: () => void;
  /** Empty when there is no error. */
  problem: string;
  input: RefObject<HTMLInputElement | null>;
}

export function AmountField({ options, choice, onChoose, typed, onType, onBlur, problem, input }: AmountFieldProps) {
  const { t } = useTexts();
  const money = (amount: string) => formatMoney(amount, options.currency);
  const isUsedUp = compareMoney(options.day_left, '0.00') <= 0;
  return (
    <div className="ui-stack ui-gap-4">
      <fieldset className="account-amounts" aria-label={t('recharge.amount')}>
        {[...options.amounts, customAmount].map((item) => (
          <label key={item} className="account-choice ui-row">
            <input type="radio" name="amount" checked={choice === item} onChange={() => onChoose(item)} />
            {item === customAmount ? (
              t('recharge.custom')
            ) : (
              <span translate="no">{money(item).replace(/\.00$/, '')}</span>
            )}
          </label>
        ))}
      </fieldset>
      {choice === customAmount ? (
        <label className="account-field ui-stack ui-gap-1 ui-muted">
          {t('recharge.custom')}
          <input
            ref={input}
            className="account-input"
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            placeholder={t('recharge.customHint', { min: money(options.min), max: money(options.max) })}
            value={typed}
            aria-invalid={Boolean(problem)}
            aria-describedby="account-amount-note"
            onChange={(event) => onType(event.target.value)}
            onBlur={onBlur}
          />
        </label>
      ) : null}
      <p id="account-amount-note" className={problem ? 'account-error' : 'ui-muted'} role="status">
        {problem
          ? problem
          : isUsedUp
            ? t('recharge.dayDone')
            : t('recharge.dayLeft', { amount: money(options.day_left) })}
      </p>
    </div>
  );
}
