import '../account.css';
import type { PaymentMethod, RechargeOptions } from '@shop/server/wire';
import { isApiError, newIdempotencyKey } from '@shop/shared/http';
import { compareMoney, formatMoney, fromMinor, toMinor } from '@shop/shared/money';
import { leave, toPending, webAddress } from '@shop/shared/payment';
import { prefetch, useQuery } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { useShown } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, Empty, ErrorState, PageBody, Section, Skeleton, StickyBar } from '@shop/shared/ui';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { createRecharge, payRecharge } from '../account.api';
import { rechargeMethodsQuery, rechargeOptionsQuery } from '../account.queries';
import { type Translate, useTexts } from '../texts';
import { rememberPayment } from '../wallet/recharge-result';
import { amountProblem, readAmount } from './recharge-amount';

const customAmount = 'custom';

export function loader(): null {
  prefetch(rechargeOptionsQuery);
  prefetch(rechargeMethodsQuery);
  return null;
}

export function Component() {
  const { t } = useTexts();
  const options = useQuery(rechargeOptionsQuery);
  const methods = useQuery(rechargeMethodsQuery);
  const session = useSession();
  const error = options.error ?? methods.error;
  if (options.data && methods.data) {
    return methods.data.length > 0 ? (
      <RechargeForm key={options.data.currency} options={options.data} methods={methods.data} />
    ) : (
      <PageBody narrow>
        <Empty
          art="wallet"
          title={t('recharge.noMethod')}
          description={t('recharge.noMethodHint')}
          action={<Button onClick={() => session.openSupport()}>{t('recharge.contactSupport')}</Button>}
        />
      </PageBody>
    );
  }
  return (
    <PageBody narrow>
      {error ? (
        <ErrorState error={error} onRetry={() => void Promise.allSettled([options.refetch(), methods.refetch()])} />
      ) : (
        <div className="account-stack">
          <Skeleton shape="card" height={280} />
          <Skeleton shape="card" height={180} />
        </div>
      )}
    </PageBody>
  );
}

const RechargeForm = observer(function RechargeForm(props: { options: RechargeOptions; methods: PaymentMethod[] }) {
  const { options, methods } = props;
  const { t } = useTexts();
  const session = useSession();
  const navigate = useNavigate();
  const shown = useShown();
  const { currency } = options;
  const money = (amount: string) => formatMoney(amount, currency);
  const [choice, setChoice] = useState(options.amounts[0] ?? customAmount);
  const [typed, setTyped] = useState('');
  const [code, setCode] = useState(methods.find((item) => item.enabled)?.code ?? '');
  const [asked, setAsked] = useState(false);
  const [failure, setFailure] = useState('');
  const [leaving, setLeaving] = useState(false);
  const intent = useRef({ of: '', key: '' });
  const busy = useRef(false);
  const input = useRef<HTMLInputElement>(null);

  // Back from the cashier through the browser's page cache: the page is as it was left, so it is made usable again.
  useEffect(() => {
    const wakeUp = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      busy.current = false;
      intent.current = { of: '', key: '' };
      setLeaving(false);
    };
    window.addEventListener('pageshow', wakeUp);
    return () => window.removeEventListener('pageshow', wakeUp);
  }, []);

  const method = methods.find((item) => item.code === code);
  const value = choice === customAmount ? typed : choice;
  const problem = amountProblem(value, options, method, t);
  const amount = readAmount(value);
  const balance = session.user?.balances[currency];
  const spent = compareMoney(options.day_left, '0.00') <= 0;

  const stop = () => {
    busy.current = false;
    setLeaving(false);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy.current) return;
    setAsked(true);
    setFailure('');
    if (problem || !amount) return input.current?.focus();
    if (!method?.enabled) return setFailure(t('recharge.errors.method'));
    busy.current = true;
    setLeaving(true);
    const of = `${amount}|${method.code}|${currency}`;
    if (intent.current.of !== of) intent.current = { of, key: newIdempotencyKey() };
    try {
      const created = await createRecharge({ amount, method: method.code }, intent.current.key);
      // Opens the payment, or gives the one that the recharge came with.
      const payment = await payRecharge(created.recharge_no, method.code, intent.current.key);
      // Gone meanwhile: nobody is pulled to a cashier from another page.
      if (!shown.current) return stop();
      const address = payment.mode === 'qr' ? '/user/wallet' : webAddress(payment.pay_url);
      if (!address) throw new TypeError('cashier address');
      rememberPayment(toPending(payment));
      // A code to scan is drawn where its result is shown.
      if (payment.mode === 'qr') navigate(address);
      else leave.to(address);
    } catch (error) {
      // Without an answer the outcome is not known: the same press again is the same top-up (its key is kept).
      if (isApiError(error) && error.kind === 'business') intent.current = { of: '', key: '' };
      setFailure(failureText(error, t));
      stop();
    }
  };

  return (
    <form onSubmit={submit} noValidate>
      <PageBody narrow>
        <div className="account-stack">
          <Section title={t('recharge.amount')}>
            <Card>
              <div className="account-stack">
                <fieldset className="account-amounts" aria-label={t('recharge.amount')}>
                  {[...options.amounts, customAmount].map((item) => (
                    <label key={item} className="account-choice">
                      <input
                        type="radio"
                        name="amount"
                        checked={choice === item}
                        onChange={() => {
                          setChoice(item);
                          setAsked(false);
                        }}
                      />
                      {item === customAmount ? t('recharge.custom') : money(item).replace(/\.00$/, '')}
                    </label>
                  ))}
                </fieldset>
                {choice === customAmount ? (
                  <label className="account-field">
                    {t('recharge.custom')}
                    <input
                      ref={input}
                      className="account-input"
                      inputMode="decimal"
                      autoComplete="off"
                      maxLength={12}
                      placeholder={t('recharge.customHint', { min: money(options.min), max: money(options.max) })}
                      value={typed}
                      aria-invalid={asked && Boolean(problem)}
                      aria-describedby="account-amount-note"
                      onChange={(event) => setTyped(event.target.value)}
                      onBlur={() => setAsked(typed !== '')}
                    />
                  </label>
                ) : null}
                <p
                  id="account-amount-note"
                  className={asked && problem ? 'account-error' : 'account-muted'}
                  role="status"
                >
                  {asked && problem
                    ? problem
                    : spent
                      ? t('recharge.dayDone')
                      : t('recharge.dayLeft', { amount: money(options.day_left) })}
                </p>
              </div>
            </Card>
          </Section>
          <Section title={t('recharge.method')}>
            <fieldset className="account-methods" aria-label={t('recharge.method')}>
              {methods.map((item) => (
                <label key={item.code} className="account-choice">
                  <input
                    type="radio"
                    name="method"
                    checked={code === item.code}
                    disabled={!item.enabled}
                    onChange={() => setCode(item.code)}
                  />
                  <span className="account-grow">
                    {item.name}
                    {item.enabled && toMinor(item.max) > 0 ? (
                      <small>{t('recharge.range', { min: money(item.min), max: money(item.max) })}</small>
                    ) : null}
                  </span>
                  <span className="account-muted">
                    {!item.enabled
                      ? item.reason || t('recharge.unavailable')
                      : toMinor(item.fee) > 0
                        ? t('recharge.fee', { amount: money(item.fee) })
                        : t('recharge.noFee')}
                  </span>
                </label>
              ))}
            </fieldset>
          </Section>
          {balance ? (
            <Card>
              <div className="account-row account-spread">
                <span className="account-muted">{t('recharge.current')}</span>
                <span>{money(balance)}</span>
              </div>
              {amount ? (
                <div className="account-row account-spread">
                  <span className="account-muted">{t('recharge.after')}</span>
                  <strong>{money(fromMinor(toMinor(balance) + toMinor(amount)))}</strong>
                </div>
              ) : null}
            </Card>
          ) : null}
          <p className="account-muted">{t('recharge.note', { currency: t(`currency.${currency}`) })}</p>
        </div>
        <StickyBar>
          <div className="account-grow">
            {failure ? (
              <p className="account-error" role="alert">
                {failure}
              </p>
            ) : null}
            <Button type="submit" block size="l" loading={leaving} disabled={spent}>
              {amount && !problem ? t('recharge.pay', { amount: money(amount) }) : t('recharge.payNothing')}
            </Button>
          </div>
        </StickyBar>
      </PageBody>
    </form>
  );
});

function failureText(error: unknown, t: Translate): string {
  if (error instanceof TypeError) return t('recharge.errors.address');
  if (!isApiError(error)) throw error;
  if (error.code === 401 || error.code === 403) return '';
  if (error.kind === 'timeout') return t('recharge.errors.timeout');
  if (error.kind === 'network') return t('recharge.errors.offline');
  return (error.kind === 'business' && error.message) || t('recharge.errors.failed');
}
