import type { StaffCoupon } from '@shop/server/wire';
import { type Currency, currencies } from '@shop/shared/domain';
import { Button, Checkbox } from '@shop/shared/ui';
import { EditPage } from '../edits/edit-page';
import { InBoth } from '../edits/fields';
import { GoodsChoice } from '../edits/goods-choice';
import { labelOf } from '../edits/label-of';
import { TimeField } from '../edits/time-field';
import { NumberField, Part } from '../goods/inputs';
import { Field, Select } from '../parts';
import { t as text, useTexts } from './texts';

type Amount = NonNullable<StaffCoupon['amounts']['CNY']>;
const none = { 'zh-CN': '', en: '' };
const noAmount: Amount = { reduce_price: '', min_price: '0' };

const freshCoupon: StaffCoupon = {
  name: none,
  coupon_type: 10,
  percent: 0,
  amounts: { CNY: noAmount, USD: null },
  expire_type: 10,
  expire_day: 30,
  start_time: null,
  end_time: null,
  goods: [],
  total: null,
  offer: true,
  redeem_code: '',
  claim_from: null,
  claim_until: null,
};

const fieldName = (path: string) =>
  labelOf(path, {
    name: text('name'),
    coupon_type: text('kind'),
    percent: text('percent'),
    amounts: text('amounts'),
    reduce_price: text('reduceName'),
    min_price: text('minName'),
    expire_type: text('expireType'),
    expire_day: text('expireDay'),
    start_time: text('startTime'),
    end_time: text('endTime'),
    goods: text('goods'),
    total: text('total'),
    offer: text('offer'),
    redeem_code: text('code'),
    claim_from: text('claimFrom'),
    claim_until: text('claimUntil'),
  });

export function CouponForm({ couponKey, claimed, isNew }: { couponKey: string; claimed: number; isNew?: boolean }) {
  const { t } = useTexts();
  return (
    <EditPage<StaffCoupon>
      list="coupons"
      all={t('all')}
      newTitle={t('add')}
      isNew={isNew}
      fresh={freshCoupon}
      place="coupons/edit"
      path="coupons"
      itemKey={couponKey}
      label={fieldName}
    >
      {(draft, set) => (
        <>
          <Part title={t('basics')}>
            <InBoth label={t('name')} value={draft.name} onValue={(name) => set({ name })} maxLength={60} required />
          </Part>
          <Terms draft={draft} set={set} claimed={claimed} />
          <Claims draft={draft} set={set} />
        </>
      )}
    </EditPage>
  );
}

interface CouponProps {
  draft: StaffCoupon;
  set(change: Partial<StaffCoupon>): void;
}

function Terms({ draft, set, claimed }: CouponProps & { claimed: number }) {
  const { t } = useTexts();
  const reduces = draft.coupon_type === 10;
  return (
    <Part title={t('terms')}>
      {claimed > 0 && <p className="hint">{t('termsFixed', { count: claimed })}</p>}
      <fieldset className="plain-set fields-wide" disabled={claimed > 0} aria-label={t('terms')}>
        <div className="pair">
          <Select
            label={t('kind')}
            value={String(draft.coupon_type)}
            options={[
              { value: '10', label: t('reduction') },
              { value: '20', label: t('discount') },
            ]}
            onValue={(value) => set({ coupon_type: value === '20' ? 20 : 10 })}
          />
          {!reduces && (
            <NumberField
              label={t('percent')}
              hint={t('percentHint')}
              value={draft.percent || null}
              min={1}
              onValue={(percent) => set({ percent: percent ?? 0 })}
            />
          )}
        </div>
        <div className="pair">
          {currencies.map((currency) => (
            <Amounts
              key={currency}
              currency={currency}
              reduces={reduces}
              value={draft.amounts[currency]}
              onValue={(amount) => set({ amounts: { ...draft.amounts, [currency]: amount } })}
            />
          ))}
        </div>
        <div className="pair">
          <Select
            label={t('expireType')}
            value={String(draft.expire_type)}
            options={[
              { value: '10', label: t('days') },
              { value: '20', label: t('window') },
            ]}
            onValue={(value) => set({ expire_type: value === '20' ? 20 : 10 })}
          />
          {draft.expire_type === 10 ? (
            <NumberField
              label={t('expireDay')}
              value={draft.expire_day || null}
              min={1}
              onValue={(days) => set({ expire_day: days ?? 0 })}
            />
          ) : (
            <>
              <TimeField
                label={t('startTime')}
                value={draft.start_time}
                onValue={(start_time) => set({ start_time })}
                required
              />
              <TimeField
                label={t('endTime')}
                value={draft.end_time}
                onValue={(end_time) => set({ end_time })}
                required
              />
            </>
          )}
        </div>
        <Goods draft={draft} set={set} />
      </fieldset>
    </Part>
  );
}

interface AmountsProps {
  currency: Currency;
  reduces: boolean;
  value: Amount | null;
  onValue(value: Amount | null): void;
}

function Amounts({ currency, reduces, value, onValue }: AmountsProps) {
  const { t } = useTexts();
  const input = {
    inputMode: 'decimal',
    pattern: '\\d{1,7}(\\.\\d{1,2})?',
    autoComplete: 'off',
    required: true,
  } as const;
  return (
    <div className="list">
      <Checkbox checked={value !== null} onChange={(on) => onValue(on ? noAmount : null)}>
        {t('inCurrency', { currency })}
      </Checkbox>
      {value && reduces && (
        <Field
          label={t('reduce', { currency })}
          value={value.reduce_price}
          onValue={(reduce_price) => onValue({ ...value, reduce_price })}
          {...input}
        />
      )}
      {value && (
        <Field
          label={t('min', { currency })}
          hint={t('minHint')}
          value={value.min_price}
          onValue={(min_price) => onValue({ ...value, min_price })}
          {...input}
        />
      )}
    </div>
  );
}

function Goods({ draft, set }: CouponProps) {
  const { t } = useTexts();
  return (
    <div className="list">
      <p>
        {t('goods')} <span className="hint">{t('goodsHint')}</span>
      </p>
      <div className="row">
        {draft.goods.map((key) => (
          <Button
            key={key}
            kind="secondary"
            icon="close"
            aria-label={t('remove', { name: key })}
            onClick={() => set({ goods: draft.goods.filter((one) => one !== key) })}
          >
            {key}
          </Button>
        ))}
      </div>
      <GoodsChoice label={t('addGoods')} onChoose={(key) => set({ goods: [...new Set([...draft.goods, key])] })} />
    </div>
  );
}

function Claims({ draft, set }: CouponProps) {
  const { t } = useTexts();
  return (
    <Part title={t('claims')}>
      <Checkbox checked={draft.offer} onChange={(offer) => set({ offer })}>
        {t('offer')}
      </Checkbox>
      <div className="pair">
        <NumberField
          label={t('total')}
          hint={t('totalHint')}
          value={draft.total}
          min={1}
          onValue={(total) => set({ total })}
        />
        <Field
          label={t('code')}
          hint={t('codeHint')}
          value={draft.redeem_code}
          onValue={(redeem_code) => set({ redeem_code })}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
        />
        <TimeField
          label={t('claimFrom')}
          hint={t('claimHint')}
          value={draft.claim_from}
          onValue={(claim_from) => set({ claim_from })}
        />
        <TimeField
          label={t('claimUntil')}
          hint={t('claimHint')}
          value={draft.claim_until}
          onValue={(claim_until) => set({ claim_until })}
        />
      </div>
      <div className="row">
        <Button kind="secondary" onClick={() => set({ claim_until: new Date().toISOString() })}>
          {t('end')}
        </Button>
        <span className="hint">{t('endHint')}</span>
      </div>
    </Part>
  );
}
