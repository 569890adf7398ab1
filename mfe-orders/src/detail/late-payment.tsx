import { linkTo } from '@shop/shared/links';
import { formatMoney } from '@shop/shared/money';
import { withIdempotencyKey } from '@shop/shared/payment';
import { useSession } from '@shop/shared/session';
import { Button, confirm, Notice } from '@shop/shared/ui';
import type { Order } from '../order/order';
import { useBuyAgain } from '../order/use-buy-again';
import { payWithBalance } from '../payment/payment.api';
import { useTexts } from '../texts';

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
