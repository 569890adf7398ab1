import type { StaffRefundAnswer, WaitingWalletAct } from '@shop/server/wire';
import { invalidate, useQuery } from '@shop/shared/query';
import { toast } from '@shop/shared/ui';
import { call, post } from '../api';
import { money } from '../format';
import { useTexts } from './texts';
import { WaitingItem } from './waiting-item';
import { walletOutcome } from './wallet-form';

/** Acts on wallets that wait for a second person. */
export function WaitingWalletActs({ pollMs }: { pollMs: number }) {
  const { t } = useTexts();
  const { data } = useQuery({
    queryKey: ['wallet'],
    queryFn: () => call<WaitingWalletAct[]>('wallet', { watch: true }),
    refetchInterval: pollMs,
    refetchOnWindowFocus: true,
  });
  if (!data || data.length === 0) return null;
  return (
    <section className="list" aria-labelledby="wallet-acts-title">
      <h2 id="wallet-acts-title">{t('waiting')}</h2>
      <ul className="list">
        {data.map((one) => (
          <WaitingWalletItem key={one.id} waiting={one} />
        ))}
      </ul>
    </section>
  );
}

function WaitingWalletItem({ waiting }: { waiting: WaitingWalletAct }) {
  const { t } = useTexts();
  const amount = money(waiting.amount, waiting.currency);
  const kind = t(`kinds.${waiting.kind}`);
  const decide = async (how: 'agree' | 'refuse') => {
    const answer = await post<StaffRefundAnswer>(`wallet/${how}`, { id: waiting.id });
    if (how === 'agree') toast.success(walletOutcome(answer));
    await invalidate(['wallet']);
  };
  return (
    <WaitingItem
      waiting={waiting}
      question={t('agreeAsk', { kind, amount })}
      agree={() => decide('agree')}
      refuse={() => decide('refuse')}
    >
      <strong>{amount}</strong> · <a href={`#/shopper/${waiting.user_id}`}>{kind}</a>
    </WaitingItem>
  );
}
