import type { StaffOrder } from '@shop/server/wire';
import { OrderStatus } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { useQuery } from '@shop/shared/query';
import { ErrorState, Notice, Tag } from '@shop/shared/ui';
import { call } from '../api';
import { money } from '../format';
import { Loading, Table } from '../parts';
import { RefundForm } from '../refunds/refund-form';
import { mayUse, useMe } from '../session';
import { useTexts } from '../texts';
import { PersonItem, stateOf } from './find-page';
import { PaymentsTable } from './payments-table';

export function OrderPage({ orderNo }: { orderNo: string }) {
  const { language } = useTexts();
  const { data, error, refetch } = useQuery({
    queryKey: ['order', orderNo, language],
    queryFn: () => call<StaffOrder>(`order/${encodeURIComponent(orderNo)}`),
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return <Loading lines={8} />;
  }
  return <Order {...data} />;
}

function Order({ order, person, ...rest }: StaffOrder) {
  const { t } = useTexts();
  const isHeld = order.status === OrderStatus.Paid || order.status === OrderStatus.Finished;
  const canRefund = mayUse(useMe(), 'money') && isHeld && !rest.disputed;
  const amount = (text: string) => money(text, order.currency);
  return (
    <>
      <h1>{order.name}</h1>
      <section className="card">
        <dl className="facts">
          <dt>{t('queue.number')}</dt>
          <dd>{order.order_no}</dd>
          <dt>{t('order.state')}</dt>
          <dd>
            <Tag>{t(`state.${stateOf(order)}`)}</Tag> {rest.refund_state === 'requested' && t('queue.refundWish')}
          </dd>
          <dt>{t('queue.goods')}</dt>
          <dd>
            {order.face_value} × {order.quantity}
          </dd>
          <dt>{t('queue.amount')}</dt>
          <dd>
            {amount(order.amount)}{' '}
            {order.refunded !== '0.00' && t('order.refunded', { amount: amount(order.refunded) })}
          </dd>
          <dt>{t('queue.paidAt')}</dt>
          <dd>
            {rest.paid_at ? formatDate(rest.paid_at) : '—'} {rest.pay_method}
          </dd>
        </dl>
        {rest.disputed && <Notice tone="warning">{t('queue.disputed')}</Notice>}
        {rest.reveals.length > 0 && (
          <Notice tone="warning">
            {t('order.revealed', { count: rest.reveals.length, first: formatDate(rest.reveals[0]) })}
          </Notice>
        )}
        {rest.supplier && (
          <p>
            {t('order.supplier', { name: rest.supplier.supplier, count: rest.supplier.tries })} {rest.supplier.detail}
          </p>
        )}
      </section>
      <PersonItem person={person} />
      {canRefund && <RefundForm order={order} payments={rest.payments} />}
      <Table
        title={t('order.timeline')}
        head={[t('order.at'), t('order.what'), t('queue.note'), t('order.by')]}
        rows={rest.events.map((one) => [formatDate(one.at), one.text, one.note, one.actor])}
      />
      <PaymentsTable payments={rest.payments} />
      <Table
        title={t('order.refunds')}
        head={[t('order.at'), t('queue.amount'), t('order.target'), t('order.state'), t('queue.why')]}
        rows={rest.refunds.map((one) => [formatDate(one.at), amount(one.amount), one.target, one.state, one.reason])}
      />
      <Table
        title={t('order.acts')}
        head={[t('order.at'), t('order.by'), t('order.what')]}
        rows={rest.acts.map((one) => [formatDate(one.at), one.actor, one.action])}
      />
    </>
  );
}
