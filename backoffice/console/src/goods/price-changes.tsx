import type { StaffGoods, StaffPriceChange } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { invalidate } from '@shop/shared/query';
import { Button, Tag, type Tone, toast } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { ActForm } from '../forms/act-form';
import type { FieldSpec } from '../forms/fields';
import { specRules } from '../generated/goods.rules';
import { Loaded, useAct } from '../parts';
import { type Key, useTexts } from './texts';

const tones: Partial<Record<StaffPriceChange['state'], Tone>> = {
  waiting: 'accent',
  running: 'success',
  failed: 'danger',
  missed: 'danger',
};
const changed = () => invalidate(['goods']);

/** Prices from a time on: those that wait or run, and the last that have ended. */
export function PriceChanges({ goods }: { goods: string }) {
  const { t } = useTexts();
  const edited = useApi('GET goods/:key', { key: goods });
  return (
    <section className="card" aria-labelledby="price-changes">
      <h2 id="price-changes">{t('change.title')}</h2>
      <p className="hint">{t('change.hint')}</p>
      <Loaded query={useApi('GET goods/:key/price-changes', { key: goods })} lines={2}>
        {(changes) => (
          <>
            {changes.length === 0 && <p className="hint">{t('change.empty')}</p>}
            <ul className="list">
              {changes.map((one) => (
                <ChangeItem key={one.id} change={one} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
      {edited.data && <AddChange goods={goods} value={edited.data.value} />}
    </section>
  );
}

function ChangeItem({ change }: { change: StaffPriceChange }) {
  const { t } = useTexts();
  const { busy, act } = useAct();
  const { id, spec, prices, starts_at, ends_at, state } = change;
  const cancel = () =>
    act(async () => {
      await api('POST goods/price-changes/cancel', { id });
      toast.success(t('change.cancelled'));
    }).finally(changed);
  return (
    <li className="row">
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

interface Change {
  spec: string | null;
  prices: { CNY?: string; USD?: string };
  starts_at: string | null;
  ends_at: string | null;
}
type ChangeField = FieldSpec<Change, Key>;
const ofSpec: ChangeField = { kind: 'select', name: 'spec', label: 'faceValue' };
const fields: ChangeField[] = [
  { kind: 'price', name: 'prices.CNY', label: 'price', values: { currency: 'CNY' }, ...specRules['prices.CNY'] },
  { kind: 'price', name: 'prices.USD', label: 'price', values: { currency: 'USD' }, ...specRules['prices.CNY'] },
  { kind: 'time', name: 'starts_at', label: 'change.from', required: true },
  { kind: 'time', name: 'ends_at', label: 'change.to', hint: 'change.toHint' },
];

function AddChange({ goods, value: { specs, custom } }: { goods: string; value: StaffGoods }) {
  const { t } = useTexts();
  const [first] = specs;
  const start: Change = { spec: null, prices: {}, starts_at: null, ends_at: null };
  const add = async ({ spec, starts_at, ...change }: Change) => {
    const of = { goods, spec: custom ? null : (spec ?? first?.key ?? null) };
    await api('POST goods/price-changes', { ...of, starts_at: starts_at ?? '', ...change });
  };
  return (
    <ActForm
      className="box"
      title={t('change.add')}
      fields={first ? [ofSpec, ...fields] : fields}
      choices={{ spec: specs.map(({ key, face_value }) => ({ value: key, label: face_value })) }}
      t={t}
      start={start}
      submit={t('change.submit')}
      kind="secondary"
      icon="clock"
      done={t('change.added')}
      changes={['goods']}
      onSubmit={add}
    />
  );
}
