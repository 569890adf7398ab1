import type { WaitingRefund } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { toast } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { money } from '../format';
import { ListState } from '../parts';
import { useTexts } from '../texts';
import { outcomeText } from './outcome';
import { useRefund } from './use-refund';
import { WaitingItem } from './waiting-item';
import { WaitingWalletActs } from './waiting-wallet-acts';

const POLL_MS = 15_000;

/** Refunds that wait for a second person. */
export function RefundsPage() {
  const { t } = useTexts();
  const query = useApi(
    'GET refunds',
    {},
    { watch: true, inOneLanguage: true, refetchInterval: POLL_MS, refetchOnWindowFocus: true },
  );
  const { data } = query;
  return (
    <>
      <h1>{t('refunds.title')}</h1>
      <p className="hint">{t('refunds.hint')}</p>
      <ListState query={query} isEmpty={data?.length === 0} empty={t('refunds.empty')} lines={4} />
      <ul className="list">
        {data?.map((one) => (
          <WaitingRefundItem key={one.id} refund={one} />
        ))}
      </ul>
      <WaitingWalletActs pollMs={POLL_MS} />
    </>
  );
}

function WaitingRefundItem({ refund }: { refund: WaitingRefund }) {
  const { t } = useTexts();
  const { ready, asked, send } = useRefund();
  const amount = money(refund.amount, refund.currency);
  const agree = async () => {
    await send(async ({ answers }) => {
      const answer = await api('POST refunds/agree', { id: refund.id, ...answers });
      toast.success(outcomeText(answer));
    });
    await invalidate(['refunds']);
  };
  const refuse = async () => {
    await api('POST refunds/refuse', { id: refund.id });
    await invalidate(['refunds']);
  };
  return (
    <WaitingItem {...{ waiting: refund, question: t('refunds.agreeAsk', { amount }), asked, ready, agree, refuse }}>
      <strong>{amount}</strong> · {t(`refunds.to.${refund.target === 'source' ? 'source' : 'wallet'}`)} ·{' '}
      <a href={`#/order/${refund.order_no}`}>{refund.name}</a>
    </WaitingItem>
  );
}
