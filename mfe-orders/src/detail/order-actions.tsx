import { post } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { formatMoney } from '@shop/shared/money';
import { useSingleFlight, withIdempotencyKey } from '@shop/shared/payment';
import { invalidate } from '@shop/shared/query';
import { useNavigate } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { Button, confirm, Notice, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { isAwaited, type Order } from '../order/order';
import { orderListPrefix } from '../order/orders.queries';
import { useBuyAgain } from '../order/use-buy-again';
import { payWithBalance } from '../payment/payment.api';
import { useTexts } from '../texts';
import { RefundSheet } from './order-forms';

export function LatePayment({ order, late }: { order: Order; late: NonNullable<Order['late_payment']> }) {
  const { t } = useTexts();
  const session = useSession();
  const again = useBuyAgain(order.order_no, {
    accepts: ({ total_amount, currency }) => {
      const amount = formatMoney(total_amount, currency);
      return confirm({
        title: t('late.confirm', { amount }),
        content: t('late.confirmText', { name: order.snapshot.name, count: order.quantity }),
        confirmText: t('pay.now', { amount }),
      });
    },
    pay: async (orderNo) => {
      await withIdempotencyKey(`pay:balance:${orderNo}`, (key) => payWithBalance(orderNo, key));
      void session.refreshUser().catch(() => {});
    },
  });
  return (
    <Notice tone="accent">
      <div className="ui-stack ui-gap-2">
        <p>{t('late.text', { amount: formatMoney(late.amount, order.currency) })}</p>
        <div className="ui-row ui-gap-2 ui-wrap">
          {order.phase === 'closed' && order.actions.again && (
            <Button onClick={again.start} loading={again.isPending}>
              {t('late.again')}
            </Button>
          )}
          <Button kind="ghost" to={linkTo('log')}>
            {t('late.log')}
          </Button>
        </div>
      </div>
    </Notice>
  );
}

export function OrderActions({ order, onMoved }: { order: Order; onMoved: () => Promise<void> }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const again = useBuyAgain(order.order_no);
  const [refunding, setRefunding] = useState(false);
  const { actions, order_no } = order;
  // Codes, or the wait for them, are the primary action.
  const isMainThing = !actions.reveal && !isAwaited(order.phase) && !order.late_payment;

  const cancel = useSingleFlight(async () => {
    const sure = await confirm({
      title: t('action.cancelTitle'),
      content: t('action.cancelText'),
      confirmText: t('action.cancel'),
      cancelText: t('action.keep'),
      danger: true,
    });
    if (!sure) return;
    // A refusal also means that the order has changed on the server.
    await post('/api/front/order/cancel', { order_no }).finally(onMoved);
    toast.success(t('action.canceled'));
  });
  const remove = useSingleFlight(async () => {
    const sure = await confirm({
      title: t('action.deleteTitle'),
      content: t('action.deleteText'),
      confirmText: t('action.delete'),
      danger: true,
    });
    if (!sure) return;
    await post('/api/front/order/delete', { order_no });
    toast.success(t('action.deleted'));
    navigate(linkTo('order-list'), { replace: true });
    void invalidate(orderListPrefix);
  });

  return (
    <div className="ui-stack ui-gap-2">
      {actions.again && order.phase !== 'unpaid' && (
        <Button kind={isMainThing ? 'primary' : 'secondary'} block onClick={again.start} loading={again.isPending}>
          {t('action.again')}
        </Button>
      )}
      {order.payment && (
        <Button kind="ghost" block to={linkTo('receipt', { id: order.order_no })}>
          {t('receipt.open')}
        </Button>
      )}
      {actions.cancel && (
        <Button kind="ghost" block onClick={() => void cancel.run()} loading={cancel.isPending}>
          {t('action.cancel')}
        </Button>
      )}
      {actions.refund && (
        <p className="orders-actions__apart ui-row ui-gap-2 ui-wrap ui-spread ui-muted">
          <span>{t('action.refundHint')}</span>
          <Button kind="ghost" size="s" onClick={() => setRefunding(true)} aria-haspopup="dialog">
            {t('refund.title')}
          </Button>
        </p>
      )}
      {actions.delete && (
        <p className="orders-actions__apart ui-row ui-gap-2 ui-wrap ui-spread ui-muted orders-actions__apart--end">
          <Button kind="ghost" size="s" icon="trash" onClick={() => void remove.run()} loading={remove.isPending}>
            {t('action.delete')}
          </Button>
        </p>
      )}
      <RefundSheet
        orderNo={order.order_no}
        open={refunding}
        onClose={() => setRefunding(false)}
        onDone={() => {
          setRefunding(false);
          void onMoved();
        }}
      />
    </div>
  );
}
