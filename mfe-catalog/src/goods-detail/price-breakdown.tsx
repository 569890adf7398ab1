import type { Currency } from '@shop/server/wire';
import { ApiError } from '@shop/shared/http';
import { formatMoney } from '@shop/shared/money';
import { Button } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { useStepTexts } from './price-steps';
import type { Quote } from './use-quote';

interface PriceBreakdownProps {
  quote: Quote;
  currency: Currency;
}

/** What the total beside the button is made of, and the balance: the server's lines, for a guest an estimate. */
export function PriceBreakdown({ quote, currency }: PriceBreakdownProps) {
  const { t } = useTexts();
  const { t: tSteps } = useStepTexts();
  const { preview, estimate } = quote;
  if (quote.error && !preview) return <QuoteError quote={quote} />;
  const lines = preview
    ? preview.breakdown.filter((line) => line.kind !== 'total')
    : estimate
      ? [
          { kind: 'goods', label: t('price.goods'), amount: estimate.listAmount },
          ...(estimate.step
            ? [
                {
                  kind: 'step',
                  label: tSteps('reached', { count: estimate.step.from }),
                  amount: estimate.step.amount,
                },
              ]
            : []),
        ]
      : [];
  // All rows are rendered before the preview arrives, so that the layout does not shift.
  const hasCoupon = lines.some((line) => line.kind === 'coupon');
  return (
    <div className="catalog-breakdown" aria-busy={quote.isLoading}>
      <dl>
        {quote.unit && (
          <div>
            <dt>{t('price.unit')}</dt>
            <dd>{[formatMoney(quote.unit, currency), ...quote.factors].join(' × ')}</dd>
          </div>
        )}
        {lines.map((line) => (
          <div key={`${line.kind}${line.label}`}>
            <dt>{line.label}</dt>
            <dd className={line.amount.startsWith('-') ? 'catalog-saving' : undefined}>
              {formatMoney(line.amount, currency)}
            </dd>
          </div>
        ))}
        {quote.isAsked && !hasCoupon && (
          <div>
            <dt>{t('coupon.title')}</dt>
            <dd>—</dd>
          </div>
        )}
        {quote.isAsked && (
          <div>
            <dt>{t('price.balance')}</dt>
            <dd>
              {preview ? formatMoney(preview.balance, currency) : '—'}
              {preview && !preview.balance_enough && <small className="catalog-short"> {t('price.short')}</small>}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

/** Why there is no price, and asking again. */
export function QuoteError({ quote }: { quote: Quote }) {
  const { t } = useTexts();
  return (
    <div role="alert" className="catalog-price-error">
      <p>{(quote.error instanceof ApiError && quote.error.message) || t('price.failed')}</p>
      <Button type="button" kind="secondary" size="s" onClick={quote.retry}>
        {t('retry')}
      </Button>
    </div>
  );
}
