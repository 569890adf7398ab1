import type { OrderNotice } from '@shop/server/wire';
import { getQuery, post } from '@shop/shared/http';
import { useFormatDate } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { prefetch, useQuery } from '@shop/shared/query';
import { Link } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Empty, PageBody, Picture, Tag, Waiting } from '@shop/shared/ui';
import { useEffect } from 'react';
import { useTexts } from '../texts';
import './notices.css';

const api = '/api/front/order/notices';

const noticesQuery = getQuery(api, ['orders', 'notices']);

export const loader = () => prefetch(noticesQuery);

/** The list marks all notices as read; new ones stay marked on screen until the list is loaded again. */
export const Component = observer(function NoticesPage() {
  const { t } = useTexts();
  const session = useSession();
  const notices = useQuery({ ...noticesQuery, enabled: session.hasToken });
  const { list, unread = 0 } = notices.data ?? {};
  const lastId = list?.[0]?.id ?? 0;
  const { refreshUser } = session;
  useEffect(() => {
    if (unread === 0 || lastId === 0) return;
    // Without an answer the notices stay unread, and the next visit sends the call again.
    post(`${api}/read`, { last_id: lastId }, { quiet: true })
      .then(refreshUser)
      .catch(() => {});
  }, [unread, lastId, refreshUser]);

  return (
    <PageBody narrow>
      {list && list.length > 0 ? (
        <ul className="ui-stack" aria-label={t('notices.title')}>
          {list.map((notice) => (
            <li key={notice.id}>
              <Row notice={notice} />
            </li>
          ))}
        </ul>
      ) : list ? (
        <Empty
          art="orders"
          title={t('notices.empty')}
          description={t('notices.emptyText')}
          action={<Button to={linkTo('order-list')}>{t('detail.back')}</Button>}
        />
      ) : (
        <Waiting query={notices} heights={[80, 80, 80, 80]} />
      )}
    </PageBody>
  );
});

function Row({ notice }: { notice: OrderNotice }) {
  const { t } = useTexts();
  const formatDate = useFormatDate();
  return (
    <Link to={linkTo('order-detail', { id: notice.order_no })} className="ui-card orders-notice ui-row">
      <Picture src={notice.image} alt="" width={48} height={48} />
      <span className="orders-notice__text ui-grow">
        <span className="ui-row ui-gap-2 ui-spread ui-bold">
          {notice.text}
          {!notice.read && <Tag tone="accent">{t('notices.new')}</Tag>}
        </span>
        <span className="orders-notice__order">{notice.name}</span>
        <time className="ui-muted" dateTime={notice.at}>
          {formatDate(notice.at)}
        </time>
      </span>
    </Link>
  );
}
