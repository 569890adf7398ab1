import type { UserCoupon } from '@shop/server/wire';
import { CouponApplyRange, CouponStatus, CouponType, CouponUseStatus } from '@shop/shared/domain';
import { useFormatDate } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { formatDiscount, formatMoney, toMinor } from '@shop/shared/money';
import { Link } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Countdown, Tag } from '@shop/shared/ui';
import { useTexts } from '../texts';

/** Coupons that end within this time show a countdown, later ones a date. */
const countdownMs = 3 * 24 * 3_600_000;

export const CouponCard = observer(function CouponCard({ coupon, onEnd }: { coupon: UserCoupon; onEnd: () => void }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const { language, currency } = useSession();
  const discount = coupon.coupon_type === CouponType.Discount;
  const unused = coupon.use_status === CouponUseStatus.Unused;
  const whole = (amount: string) => formatMoney(amount, coupon.currency).replace(/\.00$/, '');
  const assigned = coupon.apply_range === CouponApplyRange.AssignedGoods;
  const [first] = coupon.items;
  // biome-ignore lint/plugin: coupons are asked for by the browser only.
  const now = Date.now();
  const waiting = Date.parse(coupon.start_time) > now;
  const soon = unused && !waiting && Date.parse(coupon.end_time) - now < countdownMs;
  const style = `account-coupon${discount ? ' account-coupon--discount' : ''}${unused ? '' : ' account-coupon--ended'}`;
  return (
    <article className={style}>
      <div className="account-coupon__value">
        <strong translate="no">
          {discount ? formatDiscount(coupon.discount, language) : whole(coupon.reduce_price)}
        </strong>
        <span>
          {toMinor(coupon.min_price) > 0
            ? t('coupon.full', { amount: whole(coupon.min_price) })
            : t('coupon.noThreshold')}
        </span>
        <span>{t(discount ? 'coupon.discount' : 'coupon.reduction')}</span>
      </div>
      <div className="account-coupon__body ui-stack ui-gap-2">
        <h2>{coupon.name}</h2>
        <p className="ui-muted">
          {t('coupon.window', {
            start: formatDate(coupon.start_time, 'day'),
            end: formatDate(coupon.end_time),
          })}
        </p>
        {soon ? (
          <p className="ui-muted">
            {t('coupon.endsIn')} <Countdown until={coupon.end_time} onEnd={onEnd} />
          </p>
        ) : null}
        {coupon.currencies.includes(currency) ? null : (
          <Tag tone="warning">{t('coupon.otherCurrency', { currency: t(`currency.${coupon.currency}`) })}</Tag>
        )}
        {coupon.status === CouponStatus.Disabled ? <Tag>{t('coupon.disabled')}</Tag> : null}
        {assigned ? (
          <details>
            <summary className="ui-row ui-muted">{t('coupon.usableFor', { count: coupon.items.length })}</summary>
            <ul className="account-list">
              {coupon.items.map((item) => (
                <li key={item.goods_id}>
                  <Link to={linkTo('goods-detail', { id: item.goods_id })}>{item.goods_name}</Link>
                </li>
              ))}
            </ul>
          </details>
        ) : (
          <p className="ui-muted">{t('coupon.allGoods')}</p>
        )}
        {unused && waiting ? (
          <Tag>{t('coupon.startsAt', { time: formatDate(coupon.start_time) })}</Tag>
        ) : unused && coupon.status === CouponStatus.Enabled ? (
          <div>
            <Button
              size="s"
              to={assigned && first ? linkTo('goods-detail', { id: first.goods_id }) : linkTo('goods-list')}
            >
              {t('coupon.use')}
            </Button>
          </div>
        ) : unused ? null : (
          <div className="account-row ui-row ui-wrap">
            <Tag>{t(coupon.use_status === CouponUseStatus.Used ? 'coupon.used' : 'coupon.expired')}</Tag>
            {coupon.order_no ? (
              <Button kind="ghost" size="s" to={linkTo('order-detail', { id: coupon.order_no })}>
                {t('coupon.seeOrder')}
              </Button>
            ) : null}
          </div>
        )}
      </div>
    </article>
  );
});
