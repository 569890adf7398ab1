import type { OrderPreview } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney } from '@shop/shared/money';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Cell, Sheet } from '@shop/shared/ui';
import { useId, useState } from 'react';
import { useTexts } from '../texts';
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
  if (!session.hasToken) {
    return (
      <Cell icon="coupon" title={t('coupon.title')} value={t('coupon.signIn')} onClick={() => session.openLogin()} />
    );
  }
  return (
    <>
      <Cell
        icon="coupon"
        title={t('coupon.title')}
        description={describe(preview, t('coupon.none'))}
        value={preview ? <CouponValue preview={preview} /> : '…'}
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
        {preview && <CouponList preview={preview} choice={choice} onChange={onChange} />}
      </Sheet>
    </>
  );
});

/** Shown before the preview has arrived, so that nothing moves when the best coupon is applied. */
function describe(preview: OrderPreview | undefined, none: string): string | undefined {
  if (!preview) return '\u00a0';
  return preview.coupon?.name ?? (preview.available.length > 0 ? none : undefined);
}

function CouponValue({ preview }: { preview: OrderPreview }) {
  const { t } = useTexts();
  if (preview.coupon)
    return <strong className="catalog-saving">−{formatMoney(preview.coupon.discount_amount, preview.currency)}</strong>;
  if (preview.available.length > 0) return t('coupon.usable', { count: preview.available.length });
  return t('coupon.noneUsable');
}

interface CouponListProps {
  preview: OrderPreview;
  choice: CouponChoice;
  onChange: (choice: CouponChoice) => void;
}

function CouponList({ preview, choice, onChange }: CouponListProps) {
  const { t } = useTexts();
  const name = useId();
  const chosen = choice === 'none' ? null : (preview.coupon?.user_coupon_id ?? null);
  const best = preview.available[0]?.user_coupon_id;
  return (
    <div className="catalog-coupons">
      <fieldset className="catalog-fieldset">
        <legend className="catalog-legend">{t('coupon.available', { count: preview.available.length })}</legend>
        {preview.available.map((coupon) => (
          <label key={coupon.user_coupon_id} className="catalog-coupon">
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
                {t('coupon.until', { date: formatDate(coupon.end_time, 'yyyy.MM.dd') })}
              </small>
            </span>
            <b className="catalog-saving">−{formatMoney(coupon.discount_amount, preview.currency)}</b>
          </label>
        ))}
        <label className="catalog-coupon">
          <input type="radio" name={name} checked={chosen === null} onChange={() => onChange('none')} />
          <span>{t('coupon.none')}</span>
        </label>
      </fieldset>
      {preview.unavailable.length > 0 && (
        <section aria-label={t('coupon.unusable', { count: preview.unavailable.length })}>
          <h3 className="catalog-legend">{t('coupon.unusable', { count: preview.unavailable.length })}</h3>
          <ul className="catalog-coupons__off">
            {preview.unavailable.map((coupon) => (
              <li key={coupon.user_coupon_id} className="catalog-coupon">
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
