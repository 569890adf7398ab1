import type { WaitingRefund } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { invalidate } from '@shop/shared/query';
import { Button, confirm, toast } from '@shop/shared/ui';
import { api, useApi } from '../api';
import { money } from '../format';
import { Fault, ListState, useFormAct } from '../parts';
import { useTexts } from '../texts';
import { outcomeText } from './outcome';
import { useRefund } from './use-refund';

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
          <WaitingItem key={one.id} refund={one} />
        ))}
      </ul>
    </>
  );
}

function WaitingItem({ refund }: { refund: WaitingRefund }) {
  const { t } = useTexts();
  const { busy, fault, act } = useFormAct();
  const { ready, asked, send } = useRefund();
  const amount = money(refund.amount, refund.currency);
  const agree = async () => {
    const title = t('refunds.agreeAsk', { amount });
    if (!(await confirm({ title, content: refund.reason, confirmText: t('refunds.agree'), danger: true }))) return;
    await act(() =>
      send(async ({ answers }) => {
        toast.success(outcomeText(await api('POST refunds/agree', { id: refund.id, ...answers })));
      }),
    );
    await invalidate(['refunds']);
  };
  const refuse = () =>
    act(async () => {
      await api('POST refunds/refuse', { id: refund.id });
      await invalidate(['refunds']);
    });
  return (
    <li className="card">
      <p>
        <strong>{amount}</strong> · {t(`refunds.to.${refund.target === 'source' ? 'source' : 'wallet'}`)} ·{' '}
        <a href={`#/order/${refund.order_no}`}>{refund.name}</a>
      </p>
      <p>{refund.reason}</p>
      <p className="hint">
        {t('refunds.asked', { name: refund.asked_by })} · {formatDate(refund.asked_at)}
      </p>
      {fault && <Fault>{fault}</Fault>}
      {asked}
      <div className="row">
        {!refund.mine && (
          <Button kind="danger" loading={busy} disabled={!ready} onClick={() => void agree()}>
            {t('refunds.agree')}
          </Button>
        )}
        <Button kind="secondary" disabled={busy} onClick={() => void refuse()}>
          {t(refund.mine ? 'refunds.takeBack' : 'refunds.refuse')}
        </Button>
      </div>
    </li>
  );
}
