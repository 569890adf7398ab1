import { maskPhone } from '@shop/shared/domain/mask-phone';
import { useFormatDate } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { compareMoney, formatMoney } from '@shop/shared/money';
import { prefetch, useQuery } from '@shop/shared/query';
import { ReceiptLine as Line, Receipt } from '@shop/shared/receipt';
import { useParams } from '@shop/shared/router';
import type { LoaderArguments } from '@shop/shared/routing';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Empty, PageBody, Waiting } from '@shop/shared/ui';
import { PriceParts } from '../detail/order-facts';
import type { Order } from '../order/order';
import { orderDetailQuery } from '../order/orders.queries';
import { useTexts } from '../texts';

export const loader = ({ params }: LoaderArguments) => prefetch(orderDetailQuery(params.id ?? ''));

/** A paid order on one sheet, to print or to save as PDF. It holds no code and no whole phone number. */
export const Component = observer(function ReceiptPage() {
  const { t } = useTexts();
  const session = useSession();
  const { id: orderNo = '' } = useParams();
  const page = useQuery({ ...orderDetailQuery(orderNo), enabled: session.hasToken });
  const order = page.data;
  return (
    <PageBody narrow>
      {order?.payment ? (
        <OrderReceipt order={order} />
      ) : order ? (
        <Empty
          art="orders"
          title={t('receipt.none')}
          description={t('receipt.noneText')}
          action={<Button to={linkTo('order-detail', { id: orderNo })}>{t('receipt.order')}</Button>}
        />
      ) : (
        <Waiting query={page} heights={[420]} />
      )}
    </PageBody>
  );
});

function OrderReceipt({ order }: { order: Order }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const { currency, snapshot, payment } = order;
  const money = (amount: string) => formatMoney(amount, currency);
  return (
    <Receipt>
      <dl>
        <Line label={t('orderNo')}>{order.order_no}</Line>
        <Line label={t('detail.createdAt')}>{formatDate(order.created_at)}</Line>
        {order.paid_at && <Line label={t('detail.paidAt')}>{formatDate(order.paid_at)}</Line>}
        <Line label={t('pay.title')}>{payment?.name}</Line>
        {payment?.payment_no && <Line label={t('receipt.paymentNo')}>{payment.payment_no}</Line>}
        <Line label={t('list.status')}>
          <span translate="yes">{t(`phase.${order.phase}`)}</span>
        </Line>
      </dl>
      <dl>
        <Line label={t('receipt.goods')}>
          {snapshot.name} {snapshot.face_value}
        </Line>
        {snapshot.fields.map((field) => (
          <Line key={field.key} label={field.label}>
            {withoutPhones(field.value)}
          </Line>
        ))}
        <PriceParts order={order} Row={Line} />
        <Line label={t('detail.unitPrice')}>{`${money(snapshot.unit_price)} × ${order.quantity}`}</Line>
        <Line label={t('detail.original')}>{money(order.original_amount)}</Line>
        {compareMoney(order.coupon_discount, '0.00') > 0 && (
          <Line label={t('detail.discount')}>−{money(order.coupon_discount)}</Line>
        )}
      </dl>
      <dl>
        <Line label={t('detail.paid')} total>
          {money(order.total_amount)}
        </Line>
        {compareMoney(order.refunded_amount, '0.00') > 0 && (
          <Line label={t('phase.refunded')}>−{money(order.refunded_amount)}</Line>
        )}
      </dl>
    </Receipt>
  );
}

/** Phones with their middle hidden, also in the account field: mainland numbers in any spelling, others in E.164. */
export function withoutPhones(text: string): string {
  // Safari before 16.4 does not support lookbehind.
  return text
    .replace(/\+(?!86)\d{8,15}(?!\d)/g, maskPhone)
    .replace(/(^|\D)((?:\+?86[\s-]?)?1[3-9]\d)[\s-]?\d{4}[\s-]?(\d{4})(?!\d)/g, '$1$2****$3');
}
