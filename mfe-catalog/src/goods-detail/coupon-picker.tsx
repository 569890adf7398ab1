import type { OrderPreview } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney } from '@shop/shared/money';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Cell, Sheet, Skeleton } from '@shop/shared/ui';
import { type ReactNode, useId, useState } from 'react';
import { useTexts } from '../texts';
import { useGoodsTexts } from './goods-texts';
import { QuoteError } from './price-breakdown';
import type { CouponChoice } from './selection';
import { betterOffer, type Quote } from './use-quote';

interface CouponPickerProps {
  quote: Quote;
  choice: CouponChoice;
  onChange: (choice: CouponChoice) => void;
}

export const CouponPicker = observer(function CouponPicker({ quote, choice, onChange }: CouponPickerProps) {
  const { t } = useGoodsTexts();
  const { t: tPage } = useTexts();
  const session = useSession();
  const [open, setOpen] = useState(false);
  const { preview, offer } = quote;
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
        description={offer ? `${offer.name} · ${t('coupon.onBuy')}` : describe(preview, t)}
        value={preview ? <CouponValue preview={preview} offer={offer} /> : quote.error ? '—' : <span aria-busy>…</span>}
        onClick={() => {
          setOpen(true);
          // The user may have received a coupon since the last preview.
          quote.retry();
        }}
      />
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('coupon.choose')}
        footer={
          <Button block onClick={() => setOpen(false)}>
            {tPage('done')}
          </Button>
        }
      >
        {preview ? (
          <CouponList preview={preview} choice={choice} onChange={onChange} />
        ) : quote.error ? (
          <QuoteError quote={quote} />
        ) : (
          <Skeleton lines={3} />
        )}
      </Sheet>
    </>
  );
});

/** A placeholder until the preview arrives, so that nothing moves when the best coupon is applied. */
function describe(preview: OrderPreview | undefined, t: ReturnType<typeof useGoodsTexts>['t']): string | undefined {
  if (!preview) return '\u00a0';
  if (preview.coupon) return preview.coupon.name;
  if (preview.available.length > 0) return t('coupon.none');
  const coupon = preview.unavailable.find(({ code }) => code === ErrorCode.CouponInUnpaidOrder);
  return coupon && t('coupon.held', { name: coupon.name });
}

function CouponValue({ preview, offer }: { preview: OrderPreview; offer: OrderPreview['offer'] }) {
  const { t } = useGoodsTexts();
  const used = offer ?? preview.coupon;
  if (used)
    return (
      <strong className="ui-success ui-nowrap" translate="no">
        −{formatMoney(used.discount_amount, preview.currency)}
      </strong>
    );
  if (preview.available.length > 0) return t('coupon.usable', { count: preview.available.length });
  return t('coupon.noneUsable');
}

function CouponList({ preview, choice, onChange }: Omit<CouponPickerProps, 'quote'> & { preview: OrderPreview }) {
  const { t } = useGoodsTexts();
  const name = useId();
  const offer = betterOffer(preview);
  // The best coupon is one that the user has, unless a better one is offered.
  const chosen = choice === 'best' && !offer ? (preview.coupon?.user_coupon_id ?? 'none') : choice;
  const best = offer ? null : preview.available[0]?.user_coupon_id;
  const terms = (coupon: { name: string; discount_amount: string }, notes: Array<string | false>) => (
    <>
      <span>
        <strong>{coupon.name}</strong>
        <small className="ui-muted">{notes.filter(Boolean).join(' · ')}</small>
      </span>
      <b className="ui-success" translate="no">
        −{formatMoney(coupon.discount_amount, preview.currency)}
      </b>
    </>
  );
  const option = (value: CouponChoice, label: ReactNode) => (
    <label key={value} className="catalog-coupon ui-row ui-spread">
      <input
        type="radio"
        className="ui-covering-input"
        name={name}
        checked={value === chosen}
        onChange={() => onChange(value)}
      />
      {label}
    </label>
  );
  return (
    <div className="ui-stack ui-gap-5">
      <fieldset className="catalog-fieldset">
        <legend className="catalog-legend">
          {t('coupon.available', { count: preview.available.length + (offer ? 1 : 0) })}
        </legend>
        {offer && option('best', terms(offer, [t('coupon.best'), t('coupon.onBuy')]))}
        {preview.available.map((coupon) => {
          const until = t('coupon.until', { date: formatDate(coupon.end_time, 'day') });
          const id = coupon.user_coupon_id;
          return option(id, terms(coupon, [id === best && t('coupon.best'), until]));
        })}
        {option('none', <span>{t('coupon.none')}</span>)}
      </fieldset>
      {preview.unavailable.length > 0 && (
        <section aria-label={t('coupon.unusable', { count: preview.unavailable.length })}>
          <h3 className="catalog-legend">{t('coupon.unusable', { count: preview.unavailable.length })}</h3>
          <ul className="catalog-coupons__off">
            {preview.unavailable.map((coupon) => (
              <li key={coupon.user_coupon_id} className="catalog-coupon ui-row ui-spread">
                <span>
                  <strong>{coupon.name}</strong>
                  <small className="ui-muted">{coupon.reason}</small>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
