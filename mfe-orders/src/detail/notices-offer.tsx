import { getQuery } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { useQuery } from '@shop/shared/query';
import { Button, Card, Section } from '@shop/shared/ui';
import { useEffect, useState } from 'react';
import type { Order } from '../order/order';
import { useTexts } from '../texts';

const storageKey = 'orders.notices-offer';
const settingsQuery = getQuery('/api/front/user/notices', ['orders', 'notice-settings']);

function wasDeclined(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    // The offer would appear with every order without storage, which a server does not have.
    return true;
  }
}

/**
 * Whether a user without a confirmed address or push gets the offer of notices for the order. It is decided while the order is
 * unpaid, so that the offer appears together with the payment's result and moves nothing.
 */
export function useNoticesOffer(order: Order | undefined): { isOffered: boolean; decline: () => void } {
  const [isDeclined] = useState(wasDeclined);
  const [isOffered, setOffered] = useState(false);
  const isUnpaid = order?.phase === 'unpaid';
  const { data } = useQuery({ ...settingsQuery, enabled: isUnpaid && order.tells === true && !isDeclined });
  const isReachable = Boolean(data?.mail?.confirmed || data?.push?.browsers);
  useEffect(() => {
    if (isUnpaid) setOffered(data !== undefined && !isReachable && !isDeclined);
  }, [isUnpaid, data, isReachable, isDeclined]);
  const decline = () => {
    setOffered(false);
    try {
      localStorage.setItem(storageKey, 'declined');
    } catch {
      // Without storage it is offered again.
    }
  };
  return { isOffered: isOffered && order?.phase === 'processing', decline };
}

export function NoticesOffer({ onDecline }: { onDecline: () => void }) {
  const { t } = useTexts();
  return (
    <Section title={t('offer.title')}>
      <Card className="ui-stack">
        <p>{t('offer.text')}</p>
        <div className="ui-row ui-gap-2 ui-wrap">
          <Button kind="secondary" to={linkTo('notice-settings')}>
            {t('offer.open')}
          </Button>
          <Button kind="ghost" onClick={onDecline}>
            {t('offer.decline')}
          </Button>
        </div>
      </Card>
    </Section>
  );
}
