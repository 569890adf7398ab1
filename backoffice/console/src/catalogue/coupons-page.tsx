import type { StaffListedCoupon } from '@shop/backoffice/wire';
import { CouponType } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { formatMoney as money } from '@shop/shared/money';
import { Tag, type Tone } from '@shop/shared/ui';
import { useApi } from '../api';
import { newKey } from '../edits/parts';
import { type Column, ListPage, RowLink } from '../kit/list-table';
import { Loaded } from '../kit/parts';
import { CouponForm } from './coupon-form';
import { useTexts } from './coupons-texts';

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
  if (what === 'new' && key) return <CouponForm key={key} couponKey={key} claimed={0} isNew />;
  if (what === 'edit' && key)
    return (
      <Loaded query={query}>
        {(coupons) => {
          const claimed = coupons.find((coupon) => coupon.key === key)?.claimed ?? 0;
          return <CouponForm key={key} couponKey={key} claimed={claimed} />;
        }}
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
