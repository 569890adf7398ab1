import type { Closure, ClosureReason } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { ProofForm } from '@shop/shared/forms';
import { getQuery, isApiError, post } from '@shop/shared/http';
import { formatDate } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { formatMoney } from '@shop/shared/money';
import { invalidate, useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Cell, CellGroup, confirm, Notice, Section, Sheet, toast, Waiting } from '@shop/shared/ui';
import { type ComponentProps, useState } from 'react';
import { type TextKey, useTexts } from '../texts';

export function PrivacySection() {
  const { t } = useTexts();
  const [open, setOpen] = useState<'export' | 'close' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Section title={t('privacy.title')}>
        <CellGroup>
          <Cell icon="copy" title={t('privacy.export')} onClick={() => setOpen('export')} />
          <Cell icon="shield" title={t('privacy.policy')} to={linkTo('privacy')} />
          <Cell icon="trash" title={t('privacy.close')} onClick={() => setOpen('close')} />
        </CellGroup>
      </Section>
      <ExportSheet open={open === 'export'} onClose={close} />
      <Sheet open={open === 'close'} onClose={close} title={t('privacy.close')}>
        {open === 'close' && <Closing />}
      </Sheet>
    </>
  );
}

type OwnProofProps = Omit<ComponentProps<typeof ProofForm>, 'ways' | 'purpose' | 'children'>;

const OwnProof = observer(function OwnProof(props: OwnProofProps) {
  const { t } = useTexts();
  const session = useSession();
  const { hasPassword, phone, signInEmail } = session.user ?? {};
  const ways = [...(hasPassword ? ['password' as const] : []), ...(phone || signInEmail ? ['verify' as const] : [])];
  return (
    <ProofForm ways={ways} purpose="account" {...props}>
      <div className="ui-stack ui-gap-4">
        <p className="ui-muted">{t('privacy.noProof')}</p>
        <Button kind="secondary" icon="support" onClick={() => session.openSupport()}>
          {t('centre.support')}
        </Button>
      </div>
    </ProofForm>
  );
});

/** An object, so that tests can spy on it. */
export const saveFile = {
  /** The browser streams the file to the disk, so it is never in this page's memory. */
  from(url: string): void {
    const link = document.createElement('a');
    link.href = url;
    link.download = '';
    link.click();
  },
};

function ExportSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTexts();
  return (
    <Sheet open={open} onClose={onClose} title={t('privacy.export')}>
      <div className="ui-stack ui-gap-4">
        <p className="ui-muted">{t('privacy.exportHint')}</p>
        <OwnProof
          label={t('privacy.export')}
          submitText={t('privacy.exportSubmit')}
          onProof={async (proof) => {
            const { url } = await post('/api/front/user/export', proof, { quiet: true });
            saveFile.from(url);
            toast.success(t('privacy.exportStarted'));
            onClose();
          }}
        />
      </div>
    </Sheet>
  );
}

const closureApi = '/api/front/user/closure';

const closureQuery = getQuery(closureApi, ['account', 'closure']);

const reasons: Record<ClosureReason, { title: TextKey; hint: TextKey; to: string }> = {
  balance: { title: 'centre.balance', hint: 'privacy.balanceHint', to: linkTo('wallet') },
  orders: { title: 'privacy.orders', hint: 'privacy.ordersHint', to: linkTo('order-list') },
  recharges: { title: 'privacy.recharges', hint: 'privacy.rechargesHint', to: linkTo('wallet') },
  refunds: { title: 'privacy.refunds', hint: 'privacy.refundsHint', to: linkTo('order-list') },
  disputes: { title: 'privacy.disputes', hint: 'privacy.disputesHint', to: linkTo('order-list') },
};

function Closing() {
  // Not cached: the user may have spent money since.
  const { data, error, isFetching, refetch } = useQuery({ ...closureQuery, staleTime: 0, gcTime: 0 });
  if (!data) return <Waiting query={{ error: !isFetching && error, refetch }} heights={[280]} />;
  return data.reasons.length > 0 ? <Blocked closure={data} /> : <Ready closure={data} />;
}

function Blocked({ closure }: { closure: Closure }) {
  const { t } = useTexts();
  const session = useSession();
  const amounts = closure.balances.flatMap(({ currency, balance, frozen }) => [
    formatMoney(balance, currency),
    ...(Number(frozen) > 0 ? [t('common.frozen', { amount: formatMoney(frozen, currency) })] : []),
  ]);
  return (
    <div className="ui-stack ui-gap-4">
      <Notice tone="warning">{t('privacy.blocked')}</Notice>
      <CellGroup>
        {closure.reasons.map((reason) => {
          const { title, hint, to } = reasons[reason];
          return (
            <Cell
              key={reason}
              title={t(title)}
              value={reason === 'balance' ? amounts.join(' · ') : undefined}
              description={t(hint)}
              to={to}
            />
          );
        })}
      </CellGroup>
      <Button kind="secondary" icon="support" onClick={() => session.openSupport()}>
        {t('centre.support')}
      </Button>
    </div>
  );
}

function Ready({ closure }: { closure: Closure }) {
  const { t } = useTexts();
  const session = useSession();
  const { days, withdrawn_at } = closure;
  return (
    <div className="ui-stack ui-gap-4">
      {withdrawn_at ? (
        <p className="ui-muted">{t('privacy.withdrawn', { date: formatDate(withdrawn_at, 'day') })}</p>
      ) : null}
      <ul className="ui-muted">
        <li>{t('privacy.effectSessions')}</li>
        <li>{t('privacy.effectErased', { days })}</li>
        <li>{t('privacy.effectWithdraw', { days })}</li>
        <li>{t('privacy.effectKept')}</li>
        <li>{t('privacy.effectCodes')}</li>
      </ul>
      <OwnProof
        label={t('privacy.close')}
        submitText={t('privacy.close')}
        kind="danger"
        onProof={async (proof) => {
          const sure = await confirm({
            title: t('privacy.closeConfirm'),
            content: t('privacy.effectErased', { days }),
            confirmText: t('privacy.close'),
            danger: true,
          });
          if (!sure) return;
          try {
            const { close_at } = await post(closureApi, proof, { quiet: true });
            toast.success(t('privacy.closed', { date: formatDate(close_at, 'day') }));
          } catch (error) {
            // The server found an order or a payment that was opened meanwhile; the sheet shows it.
            if (isApiError(error, ErrorCode.AccountHasBalance) || isApiError(error, ErrorCode.AccountHasOpenMatters))
              void invalidate(closureQuery.queryKey);
            throw error;
          }
          await session.logout();
        }}
      />
    </div>
  );
}
