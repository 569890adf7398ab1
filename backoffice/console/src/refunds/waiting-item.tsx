import { formatDate } from '@shop/shared/i18n';
import { Button, confirm } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { Fault, useFormAct } from '../parts';
import { useTexts } from '../texts';

interface WaitingItemProps {
  waiting: { reason: string; asked_by: string; asked_at: string; mine: boolean };
  /** What waits. */
  children: ReactNode;
  /** Asked before somebody agrees. */
  question: string;
  /** What has to be answered before somebody can agree. */
  asked?: ReactNode;
  ready?: boolean;
  agree(): Promise<unknown>;
  refuse(): Promise<unknown>;
}

/** What a second person agrees to or refuses, and whoever asked for it takes back. */
export function WaitingItem({ waiting, children, question, asked, ready = true, agree, refuse }: WaitingItemProps) {
  const { t } = useTexts();
  const { busy, fault, act } = useFormAct();
  const ask = { title: question, content: waiting.reason, confirmText: t('refunds.agree'), danger: true };
  return (
    <li className="card">
      <p>{children}</p>
      <p>{waiting.reason}</p>
      <p className="hint">
        {t('refunds.asked', { name: waiting.asked_by })} · {formatDate(waiting.asked_at)}
      </p>
      {fault && <Fault>{fault}</Fault>}
      {asked}
      <div className="row">
        {!waiting.mine && (
          <Button
            kind="danger"
            loading={busy}
            disabled={!ready}
            onClick={() => void act(async () => (await confirm(ask)) && agree())}
          >
            {t('refunds.agree')}
          </Button>
        )}
        <Button kind="secondary" disabled={busy} onClick={() => void act(refuse)}>
          {t(waiting.mine ? 'refunds.takeBack' : 'refunds.refuse')}
        </Button>
      </div>
    </li>
  );
}
