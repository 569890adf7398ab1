import type { Currency } from '@shop/server/wire';
import { ApiError } from '@shop/shared/http';
import { useTranslation } from '@shop/shared/i18n';
import { formatMoney } from '@shop/shared/money';
import { Button, Price } from '@shop/shared/ui';
import type { Quote } from './use-quote';

interface PriceBreakdownProps {
  quote: Quote;
  currency: Currency;
}

/** How the total comes about, the balance beside it. The server's lines; for a guest the catalogue's. */
export function PriceBreakdown({ quote, currency }: PriceBreakdownProps) {
  const { t } = useTranslation('catalog');
  const { preview } = quote;
  if (quote.error && !preview) {
    return (
      <div role="alert" className="catalog-price-error">
        <p>{(quote.error instanceof ApiError && quote.error.message) || t('price.failed')}</p>
        <Button type="button" kind="secondary" size="s" onClick={quote.retry}>
          {t('retry')}
        </Button>
      </div>
    );
  }
  const lines = preview
    ? preview.breakdown.filter((line) => line.kind !== 'total')
    : quote.unit
      ? [{ kind: 'goods', label: t('price.goods'), amount: quote.total ?? quote.unit }]
      : [];
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
        <div className="catalog-breakdown__total">
          <dt>{t('product.total')}</dt>
          <dd>{quote.total ? <Price amount={quote.total} currency={currency} /> : '—'}</dd>
        </div>
        {preview && (
          <div>
            <dt>{t('price.balance')}</dt>
            <dd>
              {formatMoney(preview.balance, currency)}
              {!preview.balance_enough && <small className="catalog-short"> {t('price.short')}</small>}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
