import type { StaffEdited, StaffGoods, StaffPriceChange } from '@shop/server/wire';
import { currencies, ErrorCode } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { invalidate, useQuery } from '@shop/shared/query';
import { Button, ErrorState, Skeleton, Tag, type Tone, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { call, post, StaffApiError } from '../api';
import { money } from '../format';
import { Fault, Field, Select, useAct, useFormAct } from '../parts';
import { useTexts } from './texts';

const tones: Partial<Record<StaffPriceChange['state'], Tone>> = {
  waiting: 'accent',
  running: 'success',
  failed: 'danger',
  missed: 'danger',
};
const changed = (goods: string) =>
  Promise.all([invalidate(['price-changes', goods]), invalidate(['goods']), invalidate(['edit', 'goods', goods])]);

/** Prices from a time on: those that wait or run, and the last that have ended. */
export function PriceChanges({ goods }: { goods: string }) {
  const { t } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['price-changes', goods],
    queryFn: () => call<StaffPriceChange[]>(`goods/${encodeURIComponent(goods)}/price-changes`),
  });
  return (
    <section className="card" aria-labelledby="price-changes">
      <h2 id="price-changes">{t('change.title')}</h2>
      <p className="hint">{t('change.hint')}</p>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} />}
      {data?.length === 0 && <p className="hint">{t('change.empty')}</p>}
      <ul className="list">
        {data?.map((one) => (
          <ChangeItem key={one.id} change={one} goods={goods} />
        ))}
      </ul>
      <AddChange goods={goods} />
    </section>
  );
}

function ChangeItem({ change, goods }: { change: StaffPriceChange; goods: string }) {
  const { t } = useTexts();
  const { busy, act } = useAct();
  const { id, spec, prices, starts_at, ends_at, state } = change;
  const cancel = () =>
    act(async () => {
      await post('goods/price-changes/cancel', { id });
      toast.success(t('change.cancelled'));
    }).finally(() => changed(goods));
  return (
    <li className="row change">
      <p className="grow">
        <Tag tone={tones[state] ?? 'neutral'}>{t(`change.state.${state}`)}</Tag>{' '}
        <strong>
          {spec ?? t('unit')} · {prices.map(({ currency, price }) => money(price, currency)).join(' · ')}
        </strong>
        <br />
        <span className="hint">
          {formatDate(starts_at)} – {ends_at ? formatDate(ends_at) : t('change.forGood')} ·{' '}
          {change.asked_by.replace(/ \(staff\)$/, '')}
        </span>
      </p>
      {(state === 'waiting' || state === 'running' || state === 'off_sale') && (
        <Button kind="secondary" loading={busy} onClick={() => void cancel()}>
          {t(state === 'running' ? 'change.endNow' : 'change.cancel')}
        </Button>
      )}
    </li>
  );
}

const empty = { CNY: '', USD: '', from: '', to: '' };

function AddChange({ goods }: { goods: string }) {
  const { t } = useTexts();
  const { data } = useQuery({
    queryKey: ['edit', 'goods', goods, 'for prices'],
    queryFn: () => call<StaffEdited<StaffGoods>>(`goods/${encodeURIComponent(goods)}`),
  });
  const [spec, setSpec] = useState<string>();
  const [form, setForm] = useState(empty);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const { busy, fault, act } = useFormAct();
  const specs = data?.value.specs ?? [];
  const set = (change: Partial<typeof empty>) => setForm((now) => ({ ...now, ...change }));
  const names: Record<string, string> = {
    prices: t('price', { currency: 'CNY / USD' }),
    'prices.CNY': t('price', { currency: 'CNY' }),
    'prices.USD': t('price', { currency: 'USD' }),
    starts_at: t('change.from'),
    ends_at: t('change.to'),
  };
  const add = () =>
    act(async () => {
      const prices = Object.fromEntries(currencies.flatMap((one) => (form[one] ? [[one, form[one]]] : [])));
      setWrong({});
      await post('goods/price-changes', {
        goods,
        spec: data?.value.custom ? null : (spec ?? specs[0]?.key),
        prices,
        starts_at: new Date(form.from).toISOString(),
        ends_at: form.to ? new Date(form.to).toISOString() : null,
      }).catch((error) => {
        if (error instanceof StaffApiError && error.code === ErrorCode.InvalidInput)
          setWrong((error.data as { errors: Record<string, string> }).errors);
        throw error;
      });
      setForm(empty);
      toast.success(t('change.added'));
      await changed(goods);
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <fieldset className="spec">
        <legend>{t('change.add')}</legend>
        <div className="pair prices">
          {specs.length > 0 && (
            <Select
              label={t('faceValue')}
              value={spec ?? specs[0]?.key ?? ''}
              options={specs.map(({ key, face_value }) => ({ value: key, label: face_value }))}
              onValue={setSpec}
            />
          )}
          {currencies.map((currency) => (
            <Field
              key={currency}
              label={t('price', { currency })}
              inputMode="decimal"
              pattern="\d{1,9}(\.\d{1,2})?"
              autoComplete="off"
              value={form[currency]}
              onValue={(text) => set({ [currency]: text })}
            />
          ))}
        </div>
        <div className="pair">
          <Field
            label={t('change.from')}
            type="datetime-local"
            required
            value={form.from}
            onValue={(from) => set({ from })}
          />
          <Field
            label={t('change.to')}
            hint={t('change.toHint')}
            type="datetime-local"
            value={form.to}
            onValue={(to) => set({ to })}
          />
        </div>
        {fault && <Fault>{fault}</Fault>}
        {Object.keys(wrong).length > 0 && (
          <ul className="fault">
            {Object.entries(wrong).map(([field, text]) => (
              <li key={field}>
                {names[field] ?? field}: {text}
              </li>
            ))}
          </ul>
        )}
        <div>
          <Button type="submit" kind="secondary" icon="clock" loading={busy} disabled={!data}>
            {t('change.submit')}
          </Button>
        </div>
      </fieldset>
    </form>
  );
}
