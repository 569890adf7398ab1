import type { PaymentMethod, RechargeOptions } from '@shop/server/wire';
import { type Currency, ErrorCode } from '@shop/shared/domain';
import { plainAmount } from '@shop/shared/domain/plain-text';
import { isApiError, post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { compareMoney, formatMoney, fromMinor, toMinor } from '@shop/shared/money';
import { leave, toPending, useSingleFlight, webAddress, withIdempotencyKey, writePending } from '@shop/shared/payment';
import { useNavigate } from '@shop/shared/router';
import { useShown } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, PageBody, Section, StickyBar } from '@shop/shared/ui';
import { type FormEvent, useRef, useState } from 'react';
import { rechargePaymentKey } from '../account.api';
import { type Translate, useTexts } from '../texts';

/** "１0,5 " → "10.50"; undefined unless it is a positive amount with at most two decimals. */
function readAmount(typed: string): string | undefined {
  const text = plainAmount(typed);
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) return undefined;
  return fromMinor(toMinor(text));
}

/** The error of an amount, or undefined if it is valid. A method's maximum of "0.00" means no maximum. */
function amountProblem(
  typed: string,
  options: RechargeOptions,
  method: PaymentMethod | undefined,
  t: Translate,
): string | undefined {
  if (!typed.trim()) return t('recharge.errors.required');
  const amount = readAmount(typed);
  if (!amount) return t('recharge.errors.format');
  const money = (value: string) => formatMoney(value, options.currency as Currency);
  if (compareMoney(amount, options.min) < 0) return t('recharge.errors.min', { min: money(options.min) });
  if (compareMoney(amount, options.max) > 0) return t('recharge.errors.max', { max: money(options.max) });
  if (compareMoney(amount, options.day_left) > 0)
    return t('recharge.errors.dayLeft', { amount: money(options.day_left) });
  if (method && compareMoney(amount, method.min) < 0) return t('recharge.errors.methodMin', { min: money(method.min) });
  if (method && toMinor(method.max) > 0 && compareMoney(amount, method.max) > 0)
    return t('recharge.errors.methodMax', { max: money(method.max) });
  return undefined;
}

function failureText(error: unknown, t: Translate): string {
  if (!isApiError(error)) throw error;
  if (error.code === ErrorCode.Unauthorized || error.code === ErrorCode.Forbidden) return '';
  if (error.kind === 'timeout') return t('recharge.errors.timeout');
  if (error.kind === 'network') return t('recharge.errors.offline');
  return (error.kind === 'business' && error.message) || t('recharge.errors.failed');
}

const customAmount = 'custom';

interface RechargeFormProps {
  options: RechargeOptions;
  methods: PaymentMethod[];
}

export const RechargeForm = observer(function RechargeForm({ options, methods }: RechargeFormProps) {
  const { t } = useTexts();
  const session = useSession();
  const navigate = useNavigate();
  const shown = useShown();
  const { currency } = options;
  const money = (amount: string) => formatMoney(amount, currency);
  const [choice, setChoice] = useState(options.amounts[0] ?? customAmount);
  const [typed, setTyped] = useState('');
  const [code, setCode] = useState(methods.find((item) => item.enabled)?.code ?? '');
  const [showsProblem, setShowsProblem] = useState(false);
  const [failure, setFailure] = useState('');
  const input = useRef<HTMLInputElement>(null);

  const method = methods.find((item) => item.code === code);
  const value = choice === customAmount ? typed : choice;
  const problem = amountProblem(value, options, method, t);
  const amount = readAmount(value);
  const balance = session.user?.balances[currency];
  const isUsedUp = compareMoney(options.day_left, '0.00') <= 0;
  const shownProblem = showsProblem && problem;

  const choose = (next: string) => {
    setChoice(next);
    setShowsProblem(false);
  };

  const open = async (amount: string) => {
    const payment = await withIdempotencyKey(`recharge:${amount}|${code}|${currency}`, async (idempotencyKey) => {
      const options = { idempotencyKey, quiet: true };
      const { recharge_no } = await post('/api/front/recharge/create', { amount, method: code }, options);
      return post('/api/front/payment/online', { recharge_no, method: code }, options);
    });
    if (!shown.current) return;
    const address = payment.mode === 'qr' ? linkTo('wallet') : webAddress(payment.pay_url);
    if (!address) return setFailure(t('recharge.errors.address'));
    writePending(rechargePaymentKey, toPending(payment));
    if (payment.mode === 'qr') navigate(address);
    else await leave.to(address);
  };
  const paying = useSingleFlight((amount: string) =>
    open(amount).catch((error: unknown) => setFailure(failureText(error, t))),
  );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (paying.isPending) return;
    setShowsProblem(true);
    setFailure('');
    if (problem || !amount) return input.current?.focus();
    if (!method?.enabled) return setFailure(t('recharge.errors.method'));
    void paying.run(amount);
  };

  return (
    <form onSubmit={submit} noValidate>
      <PageBody narrow>
        <div className="ui-stack ui-gap-4">
          <Section title={t('recharge.amount')}>
            <Card className="ui-stack ui-gap-4">
              <fieldset className="account-amounts" aria-label={t('recharge.amount')}>
                {[...options.amounts, customAmount].map((item) => (
                  <label key={item} className="account-choice ui-row">
                    <input type="radio" name="amount" checked={choice === item} onChange={() => choose(item)} />
                    {item === customAmount ? (
                      t('recharge.custom')
                    ) : (
                      <span translate="no">{money(item).replace(/\.00$/, '')}</span>
                    )}
                  </label>
                ))}
              </fieldset>
              {choice === customAmount ? (
                <label className="ui-stack ui-gap-1 ui-muted">
                  {t('recharge.custom')}
                  <input
                    ref={input}
                    className="account-input"
                    inputMode="decimal"
                    autoComplete="off"
                    maxLength={12}
                    placeholder={t('recharge.customHint', { min: money(options.min), max: money(options.max) })}
                    value={typed}
                    aria-invalid={Boolean(shownProblem)}
                    aria-describedby="account-amount-note"
                    onChange={(event) => setTyped(event.target.value)}
                    onBlur={() => setShowsProblem(typed !== '')}
                  />
                </label>
              ) : null}
              <p id="account-amount-note" className={shownProblem ? 'account-error' : 'ui-muted'} role="status">
                {shownProblem ||
                  (isUsedUp ? t('recharge.dayDone') : t('recharge.dayLeft', { amount: money(options.day_left) }))}
              </p>
            </Card>
          </Section>
          <Section title={t('recharge.method')}>
            <MethodField methods={methods} value={code} onChange={setCode} currency={currency} />
          </Section>
          {balance ? (
            <Card>
              <div className="account-row ui-row ui-spread">
                <span className="ui-muted">{t('recharge.current')}</span>
                <span translate="no">{money(balance)}</span>
              </div>
              {amount ? (
                <div className="account-row ui-row ui-spread">
                  <span className="ui-muted">{t('recharge.after')}</span>
                  <strong translate="no">{money(fromMinor(toMinor(balance) + toMinor(amount)))}</strong>
                </div>
              ) : null}
            </Card>
          ) : null}
          <p className="ui-muted">{t('recharge.note', { currency: t(`currency.${currency}`) })}</p>
        </div>
        <StickyBar className="account-pay">
          <div className="ui-grow">
            {failure ? (
              <p className="account-error" role="alert">
                {failure}
              </p>
            ) : null}
            <Button type="submit" block size="l" loading={paying.isPending} disabled={isUsedUp}>
              {amount && !problem ? t('recharge.pay', { amount: money(amount) }) : t('recharge.payNothing')}
            </Button>
          </div>
        </StickyBar>
      </PageBody>
    </form>
  );
});

interface MethodFieldProps {
  methods: PaymentMethod[];
  value: string;
  onChange: (code: string) => void;
  currency: Currency;
}

function MethodField({ methods, value, onChange, currency }: MethodFieldProps) {
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
