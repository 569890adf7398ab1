import { RechargeType } from '@shop/shared/domain';
import { measuredTime } from '@shop/shared/payment';
import { useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { Button, Icon } from '@shop/shared/ui';
import type { Order } from '../order/order';
import { type TextKey, useTexts } from '../texts';
import { goodsInfoQuery } from './payment.api';

const nextKey: Record<number, TextKey> = {
  [RechargeType.CardCode]: 'next.card',
  [RechargeType.Direct]: 'next.direct',
  [RechargeType.Proxy]: 'next.proxy',
  [RechargeType.Manual]: 'next.manual',
};

export function WhatNext({ order }: { order: Order }) {
  const { t, language } = useTexts();
  const session = useSession();
  const { data: goods } = useQuery(goodsInfoQuery(order.snapshot.goods_id));
  const seconds = goods?.delivery_seconds;
  const measured = typeof seconds === 'number' && t('next.measured', { time: measuredTime(seconds, language) });
  return (
    <ul className="orders-next ui-stack ui-gap-1 ui-muted" aria-label={t('next.title')}>
      <li className="ui-row ui-gap-2">
        <Icon name="clock" size={18} />
        <span>
          {t(nextKey[order.recharge_type] ?? 'next.manual')}
          {order.recharge_type !== RechargeType.CardCode && (
            // An empty line keeps the space until the answer arrives.
            <span className="orders-next__measured">{measured || '\u00a0'}</span>
          )}
        </span>
      </li>
      <li className="ui-row ui-gap-2">
        <Icon name="shield" size={18} />
        <span>{t('next.refund')}</span>
      </li>
      <li className="ui-row ui-gap-2">
        <Icon name="support" size={18} />
        <span>{t('next.help')}</span>
        <Button kind="ghost" size="s" onClick={() => session.openSupport()}>
          {t('detail.support')}
        </Button>
      </li>
    </ul>
  );
}
