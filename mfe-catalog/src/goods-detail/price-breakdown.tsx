import type { Currency } from '@shop/server/wire';
import { ApiError } from '@shop/shared/http';
import { compareMoney, formatMoney } from '@shop/shared/money';
import { Button } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { useGoodsTexts } from './goods-texts';
import type { Quote } from './use-quote';

export function PriceBreakdown({ quote, currency }: { quote: Quote; currency: Currency }) {
  const { t } = useGoodsTexts();
  const { preview, estimate, offer, total } = quote;
  const step = estimate?.step;
  if (quote.error && !preview) return <QuoteError quote={quote} />;
  const lines = preview
    ? [
        ...preview.breakdown.filter(({ kind }) => kind !== 'total' && !(offer && kind === 'coupon')),
        ...(offer ? [{ kind: 'coupon', label: offer.name, amount: `-${offer.discount_amount}` }] : []),
      ]
    : [
        ...(estimate ? [{ kind: 'goods', label: t('price.goods'), amount: estimate.listAmount }] : []),
        ...(step ? [{ kind: 'step', label: t('steps.reached', { count: step.from }), amount: step.amount }] : []),
      ];
  // All rows are rendered before the preview arrives, so that the layout does not shift.
  const hasCoupon = lines.some((line) => line.kind === 'coupon');
  return (
    <dl className="catalog-breakdown" aria-busy={quote.isUpdating}>
      {quote.unit && estimate?.factors.some((factor) => factor > 1) && (
        <div className="ui-row ui-spread">
          <dt>{t('price.unit')}</dt>
          <dd translate="no">{[formatMoney(quote.unit, currency), ...estimate.factors].join(' × ')}</dd>
        </div>
      )}
      {lines.map((line) => (
        <div key={`${line.kind}${line.label}`} className="ui-row ui-spread">
          <dt>{line.label}</dt>
          <dd translate="no" className={line.amount.startsWith('-') ? 'ui-success' : undefined}>
            {formatMoney(line.amount, currency)}
          </dd>
        </div>
      ))}
      {quote.isAsked && !hasCoupon && (
        <div className="ui-row ui-spread">
          <dt>{t('coupon.title')}</dt>
          <dd>—</dd>
        </div>
      )}
      {quote.isAsked && (
        <div className="ui-row ui-spread">
          <dt>{t('price.balance')}</dt>
          <dd translate="no">
            {preview ? formatMoney(preview.balance, currency) : '—'}
            {preview && total && compareMoney(preview.balance, total) < 0 && (
              <small className="catalog-short" translate="yes">
                {' '}
                {t('price.short')}
              </small>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}

export function QuoteError({ quote }: { quote: Quote }) {
  const { t } = useGoodsTexts();
  const { t: tPage } = useTexts();
  return (
    <div role="alert" className="catalog-price-error">
      <p>{(quote.error instanceof ApiError && quote.error.message) || t('price.failed')}</p>
      <Button type="button" kind="secondary" size="s" onClick={quote.retry}>
        {tPage('retry')}
      </Button>
    </div>
  );
}
