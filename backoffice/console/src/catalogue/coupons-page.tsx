import type { StaffCoupon, StaffListedCoupon } from '@shop/backoffice/wire';
import { CouponExpireType, CouponType, type Currency } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { formatMoney as money } from '@shop/shared/money';
import { Button, Checkbox, Tag, type Tone } from '@shop/shared/ui';
import { useApi } from '../api';
import { EditPage, type EditPart, none } from '../edits/editor';
import { GoodsChoice, newKey } from '../edits/parts';
import { couponRules } from '../generated/field-rules';
import { type FieldSpec, Fields } from '../kit/fields';
import type { FormState } from '../kit/form';
import { type Column, ListPage, RowLink } from '../kit/list-table';
import { Loaded } from '../kit/parts';
import { pairTexts } from '../pair-texts';

const tones: Record<StaffListedCoupon['state'], Tone> = {
  waiting: 'accent',
  open: 'success',
  gone: 'warning',
  ended: 'neutral',
};

/** `#/coupons`, `#/coupons/edit/<key>`, `#/coupons/new/<key>`. */
export function CouponsPage({ place: [what, key] }: { place: string[] }) {
  const { t } = useTexts();
  const query = useApi('GET coupons', {});
  const columns = useColumns();
  const form = { path: 'coupons', itemKey: key ?? '', names, t, all: t('all') } as const;
  if (what === 'new' && key)
    return <EditPage key={key} {...form} parts={partsOf(0)} fresh={freshCoupon} title={t('add')} />;
  if (what === 'edit' && key)
    return (
      <Loaded query={query}>
        {(coupons) => (
          <EditPage key={key} {...form} parts={partsOf(coupons.find((coupon) => coupon.key === key)?.claimed ?? 0)} />
        )}
      </Loaded>
    );
  return <ListPage page="coupons" t={t} to={() => `coupons/new/${newKey('coupon')}`} query={query} columns={columns} />;
}

function useColumns(): Column<StaffListedCoupon>[] {
  const { t, language } = useTexts();
  const termsOf = ({ value }: StaffListedCoupon) =>
    currencies.flatMap((currency) => {
      const amounts = value.amounts[currency];
      if (!amounts) return [];
      const min = money(amounts.min_price, currency);
      const isFree = Number(amounts.min_price) === 0;
      if (value.coupon_type === CouponType.Reduction)
        return [t(isFree ? 'off' : 'offFrom', { min, amount: money(amounts.reduce_price, currency) })];
      const count = language === 'en' ? 100 - value.percent : value.percent / 10;
      return [t(isFree ? 'percentOff' : 'percentOffFrom', { min, count })];
    });
  return [
    {
      head: t('name'),
      cell: ({ key, value }) => <RowLink href={`#/coupons/edit/${key}`}>{value.name[language]}</RowLink>,
    },
    { head: t('terms'), cell: (coupon) => [...new Set(termsOf(coupon))].join(' · '), kind: 'sign' },
    {
      head: t('claimed'),
      cell: ({ claimed, value: { total } }) => (total === null ? claimed : t('claimedOf', { claimed, total })),
      kind: 'number',
    },
    { head: t('used'), cell: ({ used }) => used, kind: 'number' },
    {
      head: t('status'),
      cell: ({ state }) => <Tag tone={tones[state]}>{t(`state.${state}`)}</Tag>,
      kind: 'sign',
    },
  ];
}

const noAmount = { reduce_price: '', min_price: '0' };

export const freshCoupon: StaffCoupon = {
  name: none,
  coupon_type: CouponType.Reduction,
  percent: 0,
  amounts: { CNY: noAmount, USD: null },
  expire_type: CouponExpireType.AfterReceipt,
  expire_day: 30,
  start_time: null,
  end_time: null,
  goods: [],
  total: null,
  offer: true,
  redeem_code: '',
  for_invitation: false,
  claim_from: null,
  claim_until: null,
};

type CouponField = FieldSpec<StaffCoupon, Key>;
const kind: CouponField = {
  kind: 'select',
  name: 'coupon_type',
  label: 'kind',
  options: { reduction: CouponType.Reduction, discount: CouponType.Discount },
};
const percent: CouponField = {
  kind: 'number',
  name: 'percent',
  label: 'percent',
  hint: 'percentHint',
  ...couponRules.percent,
  // 0 is for a reduction.
  min: 1,
  blankZero: true,
};
const amount = {
  ...couponRules['amounts.CNY.min_price'],
  inputMode: 'decimal',
  required: true,
} as const;
const amountFields = (currency: Currency): CouponField[] => [
  { name: `amounts.${currency}.reduce_price`, label: 'reduce', values: { currency }, ...amount },
  { name: `amounts.${currency}.min_price`, label: 'min', values: { currency }, hint: 'minHint', ...amount },
];
const expiry: CouponField = {
  kind: 'select',
  name: 'expire_type',
  label: 'expireType',
  options: { days: CouponExpireType.AfterReceipt, window: CouponExpireType.FixedWindow },
};
const days: CouponField = {
  kind: 'number',
  name: 'expire_day',
  label: 'expireDay',
  ...couponRules.expire_day,
  // 0 is for a fixed period.
  min: 1,
  blankZero: true,
};
const times: CouponField[] = [
  { kind: 'time', name: 'start_time', label: 'startTime', required: true },
  { kind: 'time', name: 'end_time', label: 'endTime', required: true },
];
const claims: CouponField[] = [
  { kind: 'check', name: 'offer', label: 'offer' },
  { kind: 'check', name: 'for_invitation', label: 'forInvitation', hint: 'forInvitationHint' },
  { kind: 'number', name: 'total', label: 'total', hint: 'totalHint', ...couponRules.total },
  { name: 'redeem_code', label: 'code', hint: 'codeHint', ...couponRules.redeem_code, spellCheck: false },
  { kind: 'time', name: 'claim_from', label: 'claimFrom', hint: 'noLimitHint' },
  { kind: 'time', name: 'claim_until', label: 'claimUntil', hint: 'noLimitHint' },
];
const partsOf =
  (claimed: number) =>
  ({ coupon_type, expire_type }: StaffCoupon): EditPart<StaffCoupon, Key>[] => [
    { title: 'basics', fields: [{ kind: 'texts', name: 'name', label: 'name', ...couponRules.name }] },
    {
      title: 'terms',
      disabled: claimed > 0,
      fields: [
        kind,
        ...(coupon_type === CouponType.Reduction ? [] : [percent]),
        expiry,
        ...(expire_type === CouponExpireType.AfterReceipt ? [days] : times),
      ],
      more: (form) => <Terms {...form} claimed={claimed} />,
    },
    { title: 'claims', fields: claims, more: (form) => <EndClaims {...form} /> },
  ];
const names = [
  kind,
  percent,
  expiry,
  days,
  ...times,
  ...currencies.flatMap(amountFields),
  { name: 'amounts', label: 'amounts' as const },
  { name: 'goods', label: 'goods' as const },
];

function EndClaims({ setAt }: FormState<StaffCoupon>) {
  const { t } = useTexts();
  return (
    <div className="row">
      <Button kind="secondary" onClick={() => setAt('claim_until', new Date().toISOString())}>
        {t('end')}
      </Button>
      <span className="hint">{t('endHint')}</span>
    </div>
  );
}

function Terms({ values, setAt, claimed }: FormState<StaffCoupon> & { claimed: number }) {
  const { t } = useTexts();
  const { coupon_type, amounts, goods } = values;
  const choose = (chosen: string[]) => setAt('goods', chosen);
  return (
    <>
      {claimed > 0 && <p className="hint">{t('termsFixed', { count: claimed })}</p>}
      <div className="pair">
        {currencies.map((currency) => (
          <div key={currency} className="list">
            <Checkbox
              checked={amounts[currency] !== null}
              onChange={(on) => setAt(`amounts.${currency}`, on ? noAmount : null)}
            >
              {t('inCurrency', { currency })}
            </Checkbox>
            {amounts[currency] && (
              <Fields
                of={amountFields(currency).slice(coupon_type === CouponType.Reduction ? 0 : 1)}
                t={t}
                className="list"
              />
            )}
          </div>
        ))}
      </div>
      <div className="list">
        <p>
          {t('goods')} <span className="hint">{t('goodsHint')}</span>
        </p>
        <div className="row">
          {goods.map((key) => (
            <Button
              key={key}
              kind="secondary"
              icon="close"
              aria-label={t('remove', { name: key })}
              onClick={() => choose(goods.filter((goodsKey) => goodsKey !== key))}
            >
              {key}
            </Button>
          ))}
        </div>
        <GoodsChoice label={t('addGoods')} onChoose={(key) => choose([...new Set([...goods, key])])} />
      </div>
    </>
  );
}

const { useTexts, t } = pairTexts('staff-coupons', {
  add: ['新建优惠券', 'New coupon'],
  empty: ['还没有优惠券', 'No coupons yet'],
  all: ['返回优惠券列表', 'All coupons'],
  state: {
    waiting: ['未开始', 'Not started'],
    open: ['可领取', 'Open'],
    gone: ['已领完', 'All claimed'],
    ended: ['已结束', 'Ended'],
  },
  off: ['减 {{amount}}', '{{amount}} off'],
  offFrom: ['满 {{min}} 减 {{amount}}', '{{amount}} off from {{min}}'],
  percentOff: ['{{count}} 折', '{{count}}% off'],
  percentOffFrom: ['满 {{min}} 享 {{count}} 折', '{{count}}% off from {{min}}'],
  claimed: ['已领', 'Claimed'],
  claimedOf: ['{{claimed}} / {{total}}', '{{claimed}} of {{total}}'],
  used: ['已用', 'Used'],
  terms: ['优惠内容', 'Terms'],
  termsFixed: [
    '已有 {{count}} 人领取，优惠内容不能再改。已领的券在有效期内一直可用；需要别的内容时，请结束这张券，另建一张。',
    '{{count}} people have claimed it, so the terms can’t change; claimed coupons stay valid until they expire. For other terms, end this coupon and create a new one.',
    '1 shopper has claimed it, so the terms can’t change; claimed coupons stay valid until they expire. For other terms, end this coupon and create a new one.',
  ],
  kind: ['类型', 'Kind'],
  reduction: ['满减', 'Amount off'],
  discount: ['折扣', 'Percentage off'],
  percent: ['买家实付（%）', 'The buyer pays (%)'],
  percentHint: ['85 即 8.5 折', '85 means 15% off'],
  amounts: ['金额', 'Amounts'],
  inCurrency: ['可用于 {{currency}} 订单', 'For orders in {{currency}}'],
  reduce: ['减免金额（{{currency}}）', 'Amount off ({{currency}})'],
  min: ['最低消费（{{currency}}）', 'Minimum spend ({{currency}})'],
  minHint: ['0 表示无门槛', '0 for no minimum'],
  expireType: ['有效期计算方式', 'Validity'],
  days: ['领取后若干天', 'Days after claiming'],
  window: ['固定时间段', 'Fixed dates'],
  expireDay: ['领取后有效天数', 'Valid for days after claiming'],
  startTime: ['开始使用', 'Valid from'],
  endTime: ['停止使用', 'Valid until'],
  goods: ['适用商品', 'Products'],
  goodsHint: ['不选商品表示全部商品可用。', 'If none is selected, it applies to all products.'],
  remove: ['移除 {{name}}', 'Remove {{name}}'],
  claims: ['领取', 'Claims'],
  total: ['总张数', 'Total coupons'],
  totalHint: ['不填表示不限。每人限领一张', 'Leave blank for no limit. Each customer can claim it once'],
  offer: ['主动向未领取的买家展示', 'Offer it to customers who haven’t claimed it'],
  forInvitation: ['送给邀请人', 'Give it to inviters'],
  forInvitationHint: [
    '好友通过邀请链接注册，第一笔订单完成后，邀请人得到一张。只能选一张优惠券，原来选的会取消；没有选中的券时，邀请活动关闭。',
    'The inviter gets one for each friend, when the friend’s first order is finished. It replaces the coupon chosen before. While none is chosen, invitations are closed.',
  ],
  code: ['兑换码', 'Redemption code'],
  codeHint: ['不填表示没有兑换码，不区分大小写', 'Leave blank for none. Not case-sensitive'],
  claimFrom: ['开始领取', 'Claim from'],
  claimUntil: ['停止领取', 'Claim until'],
  end: ['立即停止领取', 'Stop claims now'],
  endHint: ['保存后生效。已领的券仍可使用。', 'Takes effect when you save. Claimed coupons stay valid.'],
});
type Key = Parameters<typeof t>[0];
