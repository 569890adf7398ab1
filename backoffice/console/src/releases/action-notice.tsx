import { Button } from '@shop/shared/ui';
import { useEffect } from 'react';
import { ActionForm } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { useTexts } from './texts';

const SHOWN_MS = 8_000;
const UNDO_MS = 30_000;

export interface ActionNoticeData {
  text: string;
  failed?: boolean;
  /** It stays until the next notice. */
  stays?: boolean;
  lines?: string[];
  undo?(): void;
  insist?(): void;
  leave?(): void;
  /** Repeats the action without browser checks, for a reason. */
  skipBrowser?(reason: string): void;
}

export function ActionNotice({ notice, onClose }: { notice: ActionNoticeData | null; onClose(): void }) {
  const { t } = useTexts();
  useEffect(() => {
    if (!notice || notice.stays || notice.failed) return;
    const timer = setTimeout(onClose, notice.undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, onClose]);
  const { text, failed, lines = [], undo, leave, insist, skipBrowser } = notice ?? {};
  return (
    // It is always rendered: a live region must be in the page before its text.
    <div role="status" className="action-notice">
      {notice && (
        <div className={failed ? 'card fault' : 'card'}>
          <div className="line">
            <p>{text}</p>
            <div className="row">
              {undo && <Button onClick={undo}>{t('undo')}</Button>}
              {leave && (
                <Button kind="secondary" onClick={leave}>
                  {t('leave')}
                </Button>
              )}
              {insist && (
                <Button kind="danger" onClick={insist}>
                  {t('insist')}
                </Button>
              )}
              {failed && (
                <Button kind="secondary" onClick={onClose}>
                  {t('close')}
                </Button>
              )}
            </div>
          </div>
          {lines.length > 1 && (
            <details>
              <summary>{t('lines')}</summary>
              <ol className="hint">
                {lines.map((line, index) => (
                  <li key={index}>{line}</li>
                ))}
              </ol>
            </details>
          )}
          {skipBrowser && <SkipForm onReason={skipBrowser} />}
        </div>
      )}
    </div>
  );
}

const reason: FieldSpec<{ reason: string }, 'skipReason'>[] = [
  { name: 'reason', label: 'skipReason', maxLength: 300, required: true },
];

function SkipForm({ onReason }: { onReason(reason: string): void }) {
  const { t } = useTexts();
  return (
    <ActionForm
      className="row"
      layout="grow"
      fields={reason}
      t={t}
      start={{ reason: '' }}
      submit={t('skip')}
      kind="secondary"
      onSubmit={async (values) => onReason(values.reason.trim())}
    />
  );
}
