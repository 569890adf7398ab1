import type { StaffListedCoupon } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { formatMoney as money } from '@shop/shared/money';
import type { UseQueryResult } from '@shop/shared/query';
import { Button, Tag, type Tone } from '@shop/shared/ui';
import { useState } from 'react';
import { useApi } from '../api';
import { newKey } from '../edits/new-key';
import { go } from '../location';
import { Item, List, Loaded } from '../parts';
import { CouponForm } from './coupon-form';
import { useTexts } from './texts';

const tones: Record<StaffListedCoupon['state'], Tone> = {
  waiting: 'accent',
  open: 'success',
  gone: 'warning',
  ended: 'neutral',
};

/** `#/coupons`, `#/coupons/edit/<key>`, `#/coupons/new`. */
export function CouponsPage({ place: [what, key] }: { place: string[] }) {
  const [fresh] = useState(() => newKey('coupon'));
  const query = useApi('GET coupons', {});
  if (what === 'new') return <CouponForm key={fresh} couponKey={fresh} claimed={0} isNew />;
  if (what !== 'edit' || !key) return <CouponList query={query} />;
  return (
    <Loaded query={query}>
      {(coupons) => {
        const claimed = coupons.find((one) => one.key === key)?.claimed ?? 0;
        return <CouponForm key={key} couponKey={key} claimed={claimed} />;
      }}
    </Loaded>
  );
}

function CouponList({ query }: { query: UseQueryResult<StaffListedCoupon[]> }) {
  const { t } = useTexts();
  return (
    <>
      <div className="row">
        <h1 className="grow">{t('title')}</h1>
        <Button icon="plus" onClick={() => go('coupons/new')}>
          {t('add')}
        </Button>
      </div>
      <List query={query} empty={t('empty')}>
        {(coupon) => <CouponItem key={coupon.key} coupon={coupon} />}
      </List>
    </>
  );
}

function CouponItem({ coupon }: { coupon: StaffListedCoupon }) {
  const { t, language } = useTexts();
  const { value, claimed, used } = coupon;
  const terms = currencies.flatMap((currency) => {
    const own = value.amounts[currency];
    if (!own) return [];
    const min = money(own.min_price, currency);
    const isFree = Number(own.min_price) === 0;
    if (value.coupon_type === 10)
      return [t(isFree ? 'off' : 'offFrom', { min, amount: money(own.reduce_price, currency) })];
    const count = language === 'en' ? 100 - value.percent : value.percent / 10;
    return [t(isFree ? 'percentOff' : 'percentOffFrom', { min, count })];
  });
  return (
    <Item
      href={`#/coupons/edit/${coupon.key}`}
      title={value.name[language]}
      tags={<Tag tone={tones[coupon.state]}>{t(`state.${coupon.state}`)}</Tag>}
      note={[...new Set(terms)].join(' · ')}
      end={t(value.total === null ? 'claimed' : 'claimedOf', { claimed, used, total: value.total ?? 0 })}
    />
  );
}
