import { useFormatDate } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import { Button, Card, Countdown, Icon, Picture, Price, Tag } from '@shop/shared/ui';
import { memo } from 'react';
import { holdOf, isAwaited, type OrderSummary, phaseTone } from '../order/order';
import { useBuyAgain } from '../order/use-buy-again';
import { useTexts } from '../texts';

/** Memoised: loading another page must not render all earlier cards again. */
export const OrderCard = memo(function OrderCard({ order, onEnd }: { order: OrderSummary; onEnd: () => void }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  const again = useBuyAgain(order.order_no);
  const address = linkTo('order-detail', { id: order.order_no });
  const isOpen = order.phase === 'unpaid' || isAwaited(order.phase);
  const leadsOn = isOpen || order.actions.reveal;
  const hold = holdOf(order);
  const step = order.actions.reveal ? 'cards.reveal' : order.phase === 'unpaid' ? 'step.pay' : 'step.progress';
  return (
    <Card as="article" className="orders-card" aria-label={order.name}>
      <Link to={address} className="orders-card__main ui-row ui-wrap">
        <Picture src={order.image} alt="" width={72} height={72} />
        <span className="orders-card__text ui-stack ui-gap-1 ui-grow">
          <span className="orders-card__name ui-bold ui-two-lines">{order.name}</span>
          <span className="ui-muted">
            {order.face_value} · <span className="ui-nowrap">{t('quantity', { count: order.quantity })}</span>
          </span>
          <time className="ui-muted" dateTime={order.created_at}>
            {formatDate(order.created_at)}
          </time>
        </span>
        <Tag tone={phaseTone[order.phase]}>{t(hold ? 'held.title' : `phase.${order.phase}`)}</Tag>
      </Link>
      {hold && <p className="ui-muted">{t('held.text', { minutes: String(hold.minutes) })}</p>}
      <div className="orders-card__foot ui-row ui-wrap ui-spread">
        <div className="orders-card__sum ui-row ui-wrap">
          <Price amount={order.total_amount} currency={order.currency} />
          {order.phase === 'unpaid' && (
            <span className="orders-card__clock ui-row ui-gap-1">
              <Icon name="clock" size={14} />
              {t('closesIn')} <Countdown until={order.expire_at} onEnd={onEnd} />
            </span>
          )}
        </div>
        <span className="ui-push ui-row ui-gap-2 ui-wrap">
          {order.actions.again && !isOpen && (
            <Button
              size="s"
              kind={leadsOn ? 'ghost' : 'secondary'}
              loading={again.isPending}
              onClick={again.start}
              aria-label={t('step.of', { step: t('action.again'), name: order.name })}
            >
              {t('action.again')}
            </Button>
          )}
          {leadsOn && (
            <Button
              to={address}
              size="s"
              kind={order.phase === 'unpaid' ? 'primary' : 'secondary'}
              aria-label={t('step.of', { step: t(step), name: order.name })}
            >
              {t(step)}
            </Button>
          )}
        </span>
      </div>
    </Card>
  );
});
