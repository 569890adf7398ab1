import type { RecentOrder } from '@shop/server/wire';
import { getQuery } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { useOrderAgain } from '@shop/shared/payment';
import { useQuery } from '@shop/shared/query';
import { Link } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Picture, Price, Section } from '@shop/shared/ui';
import { useTexts } from './again-texts';
import './bought-lately.css';

const recentQuery = (language: string) => getQuery('/api/front/order/recent', ['orders', 'recent', language]);

/**
 * Recent purchases with one click to buy again. They are below the first screen and render nothing until they load, so a user
 * without purchases or with a failed call misses nothing.
 */
export default observer(function BoughtLately() {
  const { t, language } = useTexts();
  const session = useSession();
  const { data } = useQuery({ ...recentQuery(language), enabled: session.hasToken });
  const again = useOrderAgain({ unavailable: t('unavailable'), failed: t('failed') });
  if (!data?.length) return null;
  return (
    <Section
      title={t('title')}
      action={
        <Button kind="ghost" size="s" to={linkTo('order-list')}>
          {t('all')}
        </Button>
      }
    >
      <ul className="catalog-lately">
        {data.map((order) => (
          <Bought key={order.order_no} order={order} again={again} />
        ))}
      </ul>
    </Section>
  );
});

function Bought({ order, again }: { order: RecentOrder; again: ReturnType<typeof useOrderAgain> }) {
  const { t } = useTexts();
  const what = [order.face_value, order.quantity > 1 ? `× ${order.quantity}` : ''].filter(Boolean).join(' ');
  return (
    <li className="ui-card catalog-lately__item ui-stack ui-gap-2">
      <Link to={linkTo('goods-detail', { id: order.goods_id })} className="catalog-lately__goods ui-row">
        <Picture src={order.image} alt="" width={56} height={56} />
        <span className="ui-grow">
          <span className="catalog-lately__name ui-bold">{order.name}</span>
          <small className="ui-muted">{what}</small>
          {order.account && <small className="ui-muted">{order.account}</small>}
        </span>
      </Link>
      <span className="catalog-lately__foot ui-row ui-wrap ui-gap-2 ui-spread">
        {order.available && order.price ? (
          <>
            <Price amount={order.price} currency={order.currency} />
            <Button
              size="s"
              kind="secondary"
              loading={again.pending === order.order_no}
              disabled={again.pending !== null}
              onClick={() => again.start(order.order_no)}
              aria-label={t('of', { name: [order.name, what, order.account].filter(Boolean).join(' ') })}
            >
              {t('do')}
            </Button>
          </>
        ) : (
          <small className="ui-muted">{t('unavailable')}</small>
        )}
      </span>
    </li>
  );
}
