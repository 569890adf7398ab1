import type { OrderPreview } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { isApiError } from '@shop/shared/http';
import { formatDate } from '@shop/shared/i18n';
import { compareMoney, formatMoney } from '@shop/shared/money';
import { useSingleFlight, withIdempotencyKey } from '@shop/shared/payment';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Cell, notify, Sheet, Skeleton } from '@shop/shared/ui';
import { useId, useState } from 'react';
import { useTexts } from '../texts';
import { receiveCoupon } from './goods-detail.api';
import { QuoteError } from './price-breakdown';
import type { CouponChoice } from './selection';
import type { Quote } from './use-quote';

interface CouponPickerProps {
  quote: Quote;
  choice: CouponChoice;
  onChange: (choice: CouponChoice) => void;
}

/** The coupon in use, and a sheet with the usable ones and, with the reason, the others. */
export const CouponPicker = observer(function CouponPicker({ quote, choice, onChange }: CouponPickerProps) {
  const { t } = useTexts();
  const session = useSession();
  const [open, setOpen] = useState(false);
  const { preview } = quote;
  const offer = preview && choice !== 'none' ? betterOffer(preview) : null;
  const receiving = useSingleFlight(async (couponId: number) => {
    try {
      await withIdempotencyKey(`coupon:${couponId}`, (key) => receiveCoupon(couponId, key));
      onChange('best');
    } catch (error) {
      if (!isApiError(error)) throw error;
      notify.danger(error.message || t('coupon.failed'));
    }
    quote.retry();
  });
  if (!session.hasToken) {
    return (
      <Cell
        className="catalog-coupon-cell"
        icon="coupon"
        title={t('coupon.title')}
        value={t('coupon.signIn')}
        onClick={() => void session.openLogin()}
      />
    );
  }
  return (
    <>
      <Cell
        className="catalog-coupon-cell"
        icon="coupon"
        title={t('coupon.title')}
        description={offer ? t('coupon.offered', { name: offer.name }) : describe(preview, t)}
        value={preview ? <CouponValue preview={preview} offer={offer} /> : quote.error ? '—' : '…'}
        onClick={() => {
          setOpen(true);
          // A coupon may have been received since the last preview.
          quote.retry();
        }}
      />
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('coupon.choose')}
        footer={
          <Button block onClick={() => setOpen(false)}>
            {t('done')}
          </Button>
        }
      >
        {preview ? (
          <CouponList
            preview={preview}
            choice={choice}
            onChange={onChange}
            onReceive={(couponId) => void receiving.run(couponId)}
            isReceiving={receiving.isPending}
          />
        ) : quote.error ? (
          <QuoteError quote={quote} />
        ) : (
          <Skeleton lines={3} />
        )}
      </Sheet>
    </>
  );
});

/** A coupon to receive that takes more off this order than the one in use. */
function betterOffer(preview: OrderPreview): OrderPreview['offer'] {
  const { offer } = preview;
  return offer && compareMoney(offer.discount_amount, preview.coupon_discount) > 0 ? offer : null;
}

/** Shown before the preview has arrived, so that nothing moves when the best coupon is applied. */
function describe(preview: OrderPreview | undefined, t: ReturnType<typeof useTexts>['t']): string | undefined {
  if (!preview) return '\u00a0';
  if (preview.coupon) return preview.coupon.name;
  if (preview.available.length > 0) return t('coupon.none');
  const held = preview.unavailable.find(({ code }) => code === ErrorCode.CouponInUnpaidOrder);
  return held && t('coupon.held', { name: held.name });
}

function CouponValue({ preview, offer }: { preview: OrderPreview; offer: OrderPreview['offer'] }) {
  const { t } = useTexts();
  if (offer)
    return (
      <strong className="catalog-saving">
        {t('coupon.offeredOff', { amount: formatMoney(offer.discount_amount, preview.currency) })}
      </strong>
    );
  if (preview.coupon)
    return <strong className="catalog-saving">−{formatMoney(preview.coupon.discount_amount, preview.currency)}</strong>;
  if (preview.available.length > 0) return t('coupon.usable', { count: preview.available.length });
  return t('coupon.noneUsable');
}

interface CouponListProps {
  preview: OrderPreview;
  choice: CouponChoice;
  onChange: (choice: CouponChoice) => void;
  onReceive: (couponId: number) => void;
  isReceiving: boolean;
}

function CouponList({ preview, choice, onChange, onReceive, isReceiving }: CouponListProps) {
  const { t } = useTexts();
  const name = useId();
  const chosen = choice === 'none' ? null : (preview.coupon?.user_coupon_id ?? null);
  const best = preview.available[0]?.user_coupon_id;
  return (
    <div className="ui-stack ui-gap-5">
      {preview.offer && (
        <div className="catalog-coupon ui-row ui-spread">
          <span>
            <strong>{preview.offer.name}</strong>
            <small>
              {t('coupon.offeredOff', { amount: formatMoney(preview.offer.discount_amount, preview.currency) })}
            </small>
          </span>
          <Button size="s" loading={isReceiving} onClick={() => preview.offer && onReceive(preview.offer.id)}>
            {t('coupon.receive')}
          </Button>
        </div>
      )}
      <fieldset className="catalog-fieldset">
        <legend className="catalog-legend">{t('coupon.available', { count: preview.available.length })}</legend>
        {preview.available.map((coupon) => (
          <label key={coupon.user_coupon_id} className="catalog-coupon ui-row ui-spread">
            <input
              type="radio"
              name={name}
              checked={coupon.user_coupon_id === chosen}
              onChange={() => onChange(coupon.user_coupon_id)}
            />
            <span>
              <strong>{coupon.name}</strong>
              <small>
                {coupon.user_coupon_id === best && `${t('coupon.best')} · `}
                {t('coupon.until', { date: formatDate(coupon.end_time, 'day') })}
              </small>
            </span>
            <b className="catalog-saving">−{formatMoney(coupon.discount_amount, preview.currency)}</b>
          </label>
        ))}
        <label className="catalog-coupon ui-row ui-spread">
          <input type="radio" name={name} checked={chosen === null} onChange={() => onChange('none')} />
          <span>{t('coupon.none')}</span>
        </label>
      </fieldset>
      {preview.unavailable.length > 0 && (
        <section aria-label={t('coupon.unusable', { count: preview.unavailable.length })}>
          <h3 className="catalog-legend">{t('coupon.unusable', { count: preview.unavailable.length })}</h3>
          <ul className="catalog-coupons__off">
            {preview.unavailable.map((coupon) => (
              <li key={coupon.user_coupon_id} className="catalog-coupon ui-row ui-spread">
                <span>
                  <strong>{coupon.name}</strong>
                  <small>{coupon.reason}</small>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
