import { CloseReason, DeliveryStatus, RechargeType, rechargeKind } from '@shop/shared/domain';
import { useFormatDate } from '@shop/shared/i18n';
import { formatMoney } from '@shop/shared/money';
import { useSession } from '@shop/shared/session';
import { Button, Countdown, Icon, type IconName, Notice } from '@shop/shared/ui';
import type { Ref } from 'react';
import { holdOf, type Order, type OrderPhase, phaseTone } from '../order/order';
import { type TextKey, useTexts } from '../texts';
import { Fact } from './order-facts';

const phaseIcon: Record<OrderPhase, IconName> = {
  unpaid: 'clock',
  processing: 'bolt',
  refunding: 'wallet',
  finished: 'check',
  refunded: 'wallet',
  closed: 'close',
};
const doneKey: Record<number, TextKey> = {
  [RechargeType.Direct]: 'detail.directDone',
  [RechargeType.Proxy]: 'detail.proxyDone',
};
const closedKey: Record<number, TextKey> = {
  [CloseReason.Timeout]: 'detail.closedTimeout',
  [CloseReason.User]: 'detail.closedUser',
  [CloseReason.Risk]: 'detail.closedRisk',
};
/** A paid order that is not delivered after this is shown as late. */
const lateAfterMs = 60 * 60_000;

function explain(order: Order): { key: TextKey; values?: Record<string, string> } {
  const hold = holdOf(order);
  if (hold) return { key: 'held.text', values: { minutes: String(hold.minutes) } };
  switch (order.phase) {
    case 'unpaid':
      return { key: 'detail.unpaidText' };
    case 'refunding':
      return {
        key: order.delivery_status === DeliveryStatus.Delivered ? 'detail.asked' : 'detail.askedEarly',
        values: { amount: formatMoney(order.total_amount, order.currency) },
      };
    case 'processing':
      return { key: `detail.${rechargeKind(order.recharge_type) ?? 'manual'}` };
    case 'finished':
      return { key: order.actions.reveal ? 'detail.cardDone' : (doneKey[order.recharge_type] ?? 'detail.manualDone') };
    case 'refunded':
      return {
        key: order.refunds.some((refund) => refund.target === 'source' && refund.state !== 'returned')
          ? 'detail.refundedSource'
          : 'detail.refundedText',
        values: { amount: formatMoney(order.refund?.amount ?? order.total_amount, order.currency) },
      };
    case 'closed':
      return { key: closedKey[order.close_reason] ?? 'detail.closedTimeout' };
  }
}

export function OrderHeader(props: { order: Order; heading: Ref<HTMLHeadingElement>; onEnd: () => void }) {
  const { order, heading, onEnd } = props;
  const { t } = useTexts();
  const session = useSession();
  const formatDate = useFormatDate();
  const text = explain(order);
  const isLate =
    order.phase === 'processing' && Date.parse(order.server_time) - Date.parse(order.paid_at ?? '') > lateAfterMs;
  const support = (
    <Button kind="ghost" size="s" icon="support" onClick={() => session.openSupport()}>
      {t('detail.support')}
    </Button>
  );
  return (
    <section className="ui-card orders-header">
      <span className={`orders-header__icon ui-tone--${phaseTone[order.phase]}`}>
        <Icon name={phaseIcon[order.phase]} size={26} />
      </span>
      <div className="orders-header__text">
        <h2 className="orders-header__title ui-row ui-wrap ui-spread" aria-live="polite" ref={heading} tabIndex={-1}>
          {t(holdOf(order) ? 'held.title' : `phase.${order.phase}`)}
          {order.phase === 'unpaid' && (
            <span className="orders-header__clock">
              {t('closesIn')} <Countdown until={order.expire_at} onEnd={onEnd} />
            </span>
          )}
        </h2>
        <p>{t(text.key, text.values)}</p>
        {order.phase === 'refunding' && support}
      </div>
      {isLate && (
        <Notice tone="warning" action={support}>
          {t('detail.late')}
        </Notice>
      )}
      {order.disputed && <Notice tone="warning">{t('detail.disputed')}</Notice>}
      {order.phase === 'refunding' && order.refund && (
        <dl className="orders-facts ui-stack ui-gap-2 orders-header__refund">
          <Fact label={t('detail.askedAt')}>{formatDate(order.refund.requested_at)}</Fact>
          {order.refund.reason && (
            <Fact label={t('refund.reason')}>
              <span translate="yes">{order.refund.reason}</span>
            </Fact>
          )}
        </dl>
      )}
      {order.refund?.state === 'refused' && (
        <Notice tone="warning" action={support}>
          {order.refund.reason ? t('detail.refused', { reason: order.refund.reason }) : t('detail.refusedPlain')}
        </Notice>
      )}
    </section>
  );
}
