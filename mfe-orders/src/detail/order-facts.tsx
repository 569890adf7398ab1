import { useFormatDate } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { compareMoney, formatMoney } from '@shop/shared/money';
import { Link } from '@shop/shared/router';
import { Card, CopyButton, Picture, Price, Section } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import type { Order } from '../order/order';
import { useTexts } from '../texts';

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="orders-facts__row ui-row ui-wrap ui-spread">
      <dt>{label}</dt>
      <dd translate="no">{children}</dd>
    </div>
  );
}

export function OrderGoods({ order }: { order: Order }) {
  const { t } = useTexts();
  const { snapshot } = order;
  return (
    <Section title={t('detail.goods')}>
      <Card>
        <Link to={linkTo('goods-detail', { id: snapshot.goods_id })} className="orders-goods ui-row ui-wrap">
          <Picture src={snapshot.image} alt="" width={64} height={64} lazy={false} />
          <span className="ui-stack ui-gap-1 ui-grow">
            <span className="orders-goods__name ui-bold">{snapshot.name}</span>
            <span className="ui-muted">
              {snapshot.face_value} · <span className="ui-nowrap">{t('quantity', { count: order.quantity })}</span>
            </span>
          </span>
          <Price amount={snapshot.unit_price} currency={order.currency} size="s" />
        </Link>
        {snapshot.fields.length > 0 && (
          <dl className="orders-facts ui-stack ui-gap-2 ui-ruled">
            {snapshot.fields.map((field) => (
              <Fact key={field.key} label={field.label}>
                {field.value}
              </Fact>
            ))}
          </dl>
        )}
      </Card>
    </Section>
  );
}

/** The list amount and what changed it, as rows of the list that it stands in. */
export function PriceParts({ order: { price, currency }, Row }: { order: Order; Row: typeof Fact }) {
  const { t } = useTexts();
  return (
    price && (
      <>
        <Row label={t('detail.listAmount')}>{formatMoney(price.list_amount, currency)}</Row>
        {price.parts.map((part) => (
          <Row key={part.kind} label={part.label}>
            <span className="ui-success">{formatMoney(part.amount, currency)}</span>
          </Row>
        ))}
      </>
    )
  );
}

export function OrderAmounts({ order }: { order: Order }) {
  const { t } = useTexts();
  const { currency } = order;
  return (
    <Section title={t('detail.amounts')}>
      <Card as="dl" className="orders-facts ui-stack ui-gap-2">
        <PriceParts order={order} Row={Fact} />
        {order.quantity > 1 && (
          <Fact label={t('detail.unitPrice')}>{`${formatMoney(order.unit_price, currency)} × ${order.quantity}`}</Fact>
        )}
        {compareMoney(order.original_amount, order.total_amount) !== 0 && (
          <Fact label={t('detail.original')}>{formatMoney(order.original_amount, currency)}</Fact>
        )}
        {compareMoney(order.coupon_discount, '0.00') !== 0 && (
          <Fact label={order.coupon?.name ?? t('detail.discount')}>
            <span className="ui-success">{formatMoney(`-${order.coupon_discount.replace('-', '')}`, currency)}</span>
          </Fact>
        )}
        <div className="orders-facts__row orders-facts__total ui-row ui-wrap ui-spread">
          <dt>{t(order.payment ? 'detail.paid' : 'detail.total')}</dt>
          <dd>
            <Price amount={order.total_amount} currency={currency} size="l" />
          </dd>
        </div>
        {compareMoney(order.refunded_amount, '0.00') !== 0 && (
          <Fact label={t('phase.refunded')}>{formatMoney(order.refunded_amount, currency)}</Fact>
        )}
      </Card>
    </Section>
  );
}

export function OrderInformation({ order }: { order: Order }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  return (
    <Section title={t('detail.info')}>
      <Card as="dl" className="orders-facts ui-stack ui-gap-2">
        <Fact label={t('orderNo')}>
          <span className="ui-digits">{order.order_no}</span>
          <CopyButton kind="ghost" text={order.order_no} label={t('copy')} />
        </Fact>
        <Fact label={t('detail.createdAt')}>{formatDate(order.created_at)}</Fact>
        {order.paid_at && <Fact label={t('detail.paidAt')}>{formatDate(order.paid_at)}</Fact>}
        {order.payment && <Fact label={t('pay.title')}>{order.payment.name}</Fact>}
      </Card>
    </Section>
  );
}

export function OrderTimeline({ order }: { order: Order }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  if (order.timeline.length === 0) return null;
  // The server lists events in order, several in one moment too.
  const newestFirst = [...order.timeline].reverse();
  return (
    <Section title={t('detail.timeline')}>
      <Card as="ol" className="orders-timeline">
        {newestFirst.map((entry) => (
          <li key={`${entry.at}${entry.kind}${entry.text}`} className="orders-timeline__entry">
            <span>{entry.text}</span>
            <time className="ui-hint" dateTime={entry.at}>
              {formatDate(entry.at)}
            </time>
          </li>
        ))}
      </Card>
    </Section>
  );
}
