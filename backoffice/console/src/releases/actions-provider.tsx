import { invalidate } from '@shop/shared/query';
import { Button, type ButtonProps } from '@shop/shared/ui';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { StaffApiError } from '../api';
import { type ActionResult, type Refusal, type ReleaseCall, releasesKey, sendAction } from './releases.api';
import { t, useTexts } from './texts';

const RunContext = createContext<(call: ReleaseCall) => void>(() => {});
export const useRun = () => useContext(RunContext);

export function RunButton({ call, ...button }: Omit<ButtonProps, 'onClick'> & { call: ReleaseCall }) {
  const run = useRun();
  return <Button kind="secondary" {...button} onClick={() => run(call)} />;
}

interface Notice {
  text: string;
  failed?: boolean;
  lines?: string[];
  insist?: ReleaseCall;
}

export function ActionsProvider({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<Notice | null>(null);
  /** A second click on the same button before the first answer does nothing. */
  const running = useRef(new Set<string>());

  const run = useCallback(async (call: ReleaseCall): Promise<void> => {
    const key = JSON.stringify(call);
    if (running.current.has(key)) return;
    running.current.add(key);
    const lines: string[] = [];
    const onLine = (line: string) => {
      lines.push(line);
      setNotice({ text: 'name' in call ? `${call.name}: ${line}` : line, lines: [...lines] });
    };
    setNotice({ text: t('working') });
    try {
      const result = await sendAction(call, onLine);
      setNotice(result ? { text: doneText(call, result) } : { text: t('ended'), failed: true });
    } catch (error) {
      if (error instanceof StaffApiError) {
        const mayInsist =
          (error.data as Refusal | null)?.canInsist && (call.action === 'rollback' || call.action === 'restore');
        const insist = mayInsist ? { ...call, anyway: true } : undefined;
        setNotice({ text: error.message, failed: true, lines, insist });
      } else setNotice({ text: t('noAnswer'), failed: true });
    } finally {
      running.current.delete(key);
      void invalidate(releasesKey);
    }
  }, []);

  return (
    <RunContext value={run}>
      {children}
      <ActionNotice notice={notice} onClose={() => setNotice(null)} />
    </RunContext>
  );
}

/** Describes the change as the history does, with the details of the answer. */
function doneText(call: ReleaseCall, { outcome, from, to, version, traffic }: ActionResult): string {
  const ended = outcome === 'abandoned' ? 'abandon' : call.action;
  const change = t(`change.${outcome === 'canary' ? outcome : ended}`, { name: 'name' in call ? call.name : '' });
  return [change, version, [from, to].filter(Boolean).join(' → '), traffic && `${traffic} %`]
    .filter(Boolean)
    .join(' · ');
}

/** It stays until the next action, or until the user closes it. */
function ActionNotice({ notice, onClose }: { notice: Notice | null; onClose(): void }) {
  const { t } = useTexts();
  const { text, failed, lines = [], insist } = notice ?? {};
  return (
    // It is always rendered: a live region must be in the page before its text.
    <div role="status" className="action-notice">
      {notice && (
        <div className={failed ? 'card fault' : 'card'}>
          <div className="row">
            <p className="grow">{text}</p>
            <div className="row">
              {insist && (
                <RunButton kind="danger" call={insist}>
                  {t('insist')}
                </RunButton>
              )}
              <Button kind="secondary" onClick={onClose}>
                {t('close')}
              </Button>
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
        </div>
      )}
    </div>
  );
}
