import type { StaffOrder } from '@shop/backoffice/wire';
import { OrderStatus } from '@shop/shared/domain';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { Notice, Tag } from '@shop/shared/ui';
import { useApi } from '../api';
import { TextTable } from '../kit/list-table';
import { Facts, Loaded } from '../kit/parts';
import { mayUse, useMe } from '../session';
import { useTexts } from '../texts';
import { stateText, UsersTable } from './find-page';
import { RefundForm } from './refund';

export const OrderPage = ({ place: [orderNo = ''] }: { place: string[] }) => (
  <Loaded query={useApi('GET order/:order_no', { order_no: orderNo }, { inOneLanguage: true })}>
    {(order) => <Order key={orderNo} {...order} />}
  </Loaded>
);

function Order({ order, user, ...rest }: StaffOrder) {
  const { t } = useTexts();
  const hasPayment = order.status === OrderStatus.Paid || order.status === OrderStatus.Finished;
  const canRefund = mayUse(useMe(), 'refunds') && hasPayment && !rest.disputed;
  const amount = (text: string) => money(text, order.currency);
  const refunded = order.refunded !== '0.00' && t('order.refunded', { amount: amount(order.refunded) });
  const state = (
    <>
      <Tag>{stateText(order)}</Tag> {rest.refund_state === 'requested' && t('queue.refundWish')}
    </>
  );
  return (
    <>
      <h1>{order.name}</h1>
      <section className="card">
        <Facts
          of={[
            [t('orderNo'), order.order_no],
            [t('status'), state],
            [t('product'), `${order.face_value} × ${order.quantity}`],
            [t('queue.amount'), [amount(order.amount), ' ', refunded]],
            [t('paidAt'), `${rest.paid_at ? formatDate(rest.paid_at) : '—'} ${rest.pay_method}`],
          ]}
        />
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
      <UsersTable people={[user]} />
      {canRefund && <RefundForm order={order} payments={rest.payments} codes={rest.codes} />}
      <TextTable
        title={t('order.timeline')}
        head={[t('at'), t('order.what'), t('queue.note'), t('order.by')]}
        rows={rest.events.map((event) => [formatDate(event.at), event.text, event.note, event.actor])}
      />
      <PaymentsTable payments={rest.payments} />
      <TextTable
        title={t('nav.refunds')}
        head={[t('at'), t('queue.amount'), t('order.target'), t('status'), t('reason')]}
        rows={rest.refunds.map((refund) => [
          formatDate(refund.at),
          amount(refund.amount),
          refund.target,
          refund.state,
          refund.reason,
        ])}
      />
      <TextTable
        title={t('order.acts')}
        head={[t('at'), t('order.by'), t('order.what')]}
        rows={rest.acts.map((entry) => [formatDate(entry.at), entry.actor, entry.action])}
      />
    </>
  );
}

export function PaymentsTable({ payments }: Pick<StaffOrder, 'payments'>) {
  const { t } = useTexts();
  return (
    <TextTable
      title={t('order.payments')}
      head={[t('at'), t('order.paymentNo'), t('method'), t('queue.amount'), t('order.paidBack'), t('status')]}
      rows={payments.map((payment) => [
        formatDate(payment.created_at),
        [payment.payment_no, payment.provider_ref].filter(Boolean).join(' / '),
        payment.method,
        money(payment.amount, payment.currency),
        payment.paid_back === '0.00' ? '' : money(payment.paid_back, payment.currency),
        [payment.state, payment.disputes].filter(Boolean).join(' · '),
      ])}
    />
  );
}
