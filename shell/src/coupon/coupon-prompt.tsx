import { linkTo } from '@shop/shared/links';
import './coupon-prompt.css';
import type { Coupon } from '@shop/server/wire';
import { CouponApplyRange, CouponExpireType, CouponType } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { compareMoney, formatDiscount, formatMoney } from '@shop/shared/money';
import { useNavigate } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Button, Dialog, Icon } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { useShell } from '../shell-context';
import { useTexts } from './texts';

const CouponPrompt = observer(function CouponPrompt() {
  const { t } = useTexts();
  const { coupons } = useShell();
  const navigate = useNavigate();

  if (coupons.result) {
    const { isReceived, at } = coupons.result;
    const view = () => {
      coupons.closeResult();
      void navigate(linkTo('coupon'));
    };
    return (
      <Dialog
        open
        onClose={coupons.closeResult}
        title={t(isReceived ? 'coupon.success' : 'coupon.fail')}
        actions={
          <>
            <Button kind="secondary" onClick={coupons.closeResult}>
              {t('coupon.close')}
            </Button>
            <Button onClick={view}>{t('coupon.view')}</Button>
          </>
        }
      >
        <div className="shell-coupon__result ui-stack">
          <span className={`shell-coupon__sign ui-tone--${isReceived ? 'success' : 'danger'}`}>
            <Icon name={isReceived ? 'check' : 'alert'} size={32} />
          </span>
          <p>
            {t(isReceived ? 'coupon.receivedAt' : 'coupon.failedText', { time: formatDate(at, 'yyyy/MM/dd HH:mm') })}
          </p>
        </div>
      </Dialog>
    );
  }
  if (!coupons.coupon) return null;
  return (
    <Dialog
      open={coupons.visible}
      onClose={coupons.close}
      title={t('coupon.title')}
      actions={
        <>
          <Button kind="secondary" onClick={coupons.close}>
            {t('coupon.later')}
          </Button>
          <Button loading={coupons.receiving} onClick={() => void coupons.receive()}>
            {t('coupon.receive')}
          </Button>
        </>
      }
    >
      <CouponTicket coupon={coupons.coupon} />
    </Dialog>
  );
});
export default CouponPrompt;

function CouponTicket({ coupon }: { coupon: Coupon }): ReactNode {
  const { t, language } = useTexts();
  const value =
    coupon.coupon_type === CouponType.Discount
      ? formatDiscount(coupon.discount, language)
      : formatMoney(coupon.reduce_price, coupon.currency);
  const hasMinimum = compareMoney(coupon.min_price, '0.00') > 0;
  const window =
    coupon.expire_type === CouponExpireType.AfterReceipt
      ? t('coupon.validDays', { days: coupon.expire_day })
      : t('coupon.window', {
          start: formatDate(coupon.start_time, 'yyyy.MM.dd'),
          end: formatDate(coupon.end_time, 'yyyy.MM.dd'),
        });
  return (
    <div className="shell-coupon" data-unasked="">
      <strong className="shell-coupon__value">{value}</strong>
      <div className="shell-coupon__text ui-muted">
        <p className="shell-coupon__name">{coupon.name}</p>
        <p>
          {hasMinimum
            ? t('coupon.threshold', { amount: formatMoney(coupon.min_price, coupon.currency) })
            : t('coupon.noThreshold')}
        </p>
        <p>{t(coupon.apply_range === CouponApplyRange.AllGoods ? 'coupon.allGoods' : 'coupon.someGoods')}</p>
        <p>{window}</p>
      </div>
    </div>
  );
}
