import { RechargeType } from '@shop/shared/domain';
import { useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { Button, Icon } from '@shop/shared/ui';
import type { Order } from '../order/order';
import { type TextKey, useTexts } from '../texts';
import { goodsInfoQuery } from './payment.queries';

const nextKey: Record<number, TextKey> = {
  [RechargeType.CardCode]: 'next.card',
  [RechargeType.Direct]: 'next.direct',
  [RechargeType.Proxy]: 'next.proxy',
  [RechargeType.Manual]: 'next.manual',
};

/** "3 minutes", of a measured median. */
export function about(seconds: number, language: 'zh-CN' | 'en'): string {
  const [unit, count] =
    seconds < 3570
      ? (['minute', Math.max(1, Math.round(seconds / 60))] as const)
      : seconds < 171_000
        ? (['hour', Math.round(seconds / 3600)] as const)
        : (['day', Math.round(seconds / 86_400)] as const);
  const text = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  return text.replace(/(\d)(\p{Script=Han})/u, '$1 $2');
}

/** What follows the payment: delivery and how long it took lately, refund, help. */
export function WhatNext({ order }: { order: Order }) {
  const { t, language } = useTexts();
  const session = useSession();
  const { data: goods, isFetched } = useQuery(goodsInfoQuery(order.snapshot.goods_id));
  const seconds = goods?.delivery_seconds;
  const measured =
    typeof seconds === 'number'
      ? t('next.measured', { time: about(seconds, language === 'en' ? 'en' : 'zh-CN') })
      : t('next.unmeasured');
  return (
    <ul className="orders-next" aria-label={t('next.title')}>
      <li>
        <Icon name="clock" size={18} />
        <span>
          {t(nextKey[order.recharge_type] ?? 'next.manual')}
          {order.recharge_type !== RechargeType.CardCode && (
            // Its line is kept until the answer is there, so that nothing moves.
            <span className="orders-next__measured">{isFetched ? measured : '\u00a0'}</span>
          )}
        </span>
      </li>
      <li>
        <Icon name="shield" size={18} />
        <span>{t('next.refund')}</span>
      </li>
      <li>
        <Icon name="support" size={18} />
        <span>{t('next.help')}</span>
        <Button kind="ghost" size="s" onClick={() => session.openSupport()}>
          {t('detail.support')}
        </Button>
      </li>
    </ul>
  );
}
