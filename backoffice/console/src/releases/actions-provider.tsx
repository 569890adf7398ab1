import { invalidate } from '@shop/shared/query';
import { Button, type ButtonProps } from '@shop/shared/ui';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { StaffApiError } from '../api';
import { ActionNotice, type ActionNoticeData } from './action-notice';
import type { UndoableAction } from './actions';
import { type ActionResult, EndedError, type Refusal, type ReleaseCall, releasesKey, sendAction } from './releases.api';
import { t } from './texts';

const RunContext = createContext<(action: UndoableAction) => void>(() => {});
export const useRun = () => useContext(RunContext);

export function RunButton({ call, undo, ...button }: Omit<ButtonProps, 'onClick'> & UndoableAction) {
  const run = useRun();
  return <Button kind="secondary" {...button} onClick={() => run({ call, undo })} />;
}

export function ActionsProvider({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<ActionNoticeData | null>(null);
  const close = useCallback(() => setNotice(null), []);
  /** A second click on the same button before the first answer does nothing. */
  const running = useRef(new Set<string>());

  const run = useCallback(async ({ call, undo }: UndoableAction): Promise<void> => {
    const key = JSON.stringify(call);
    if (running.current.has(key)) return;
    running.current.add(key);
    const leaving = new AbortController();
    const lines: string[] = [];
    const onLine = (line: string, isWaiting: boolean) => {
      lines.push(line);
      const leave = isWaiting ? () => leaving.abort() : undefined;
      setNotice({ text: 'name' in call ? `${call.name}: ${line}` : line, lines: [...lines], stays: true, leave });
    };
    setNotice({ text: t('working'), stays: true });
    try {
      const result = await sendAction(call, { onLine, signal: leaving.signal });
      const offered = undo ? () => void run({ call: { ...undo, why: 'undo at /ops' } }) : undefined;
      setNotice({ text: doneText(call, result), undo: offered });
    } catch (error) {
      if (leaving.signal.aborted) setNotice({ text: t('left') });
      else if (!(error instanceof StaffApiError))
        setNotice({ text: t(error instanceof EndedError ? 'ended' : 'noAnswer'), failed: true });
      else {
        const { canSkipBrowser, canInsist } = error.data as Refusal;
        const skipBrowser =
          canSkipBrowser && call.action === 'promote'
            ? (why: string) => void run({ call: { ...call, skip: ['browser'], why }, undo })
            : undefined;
        const insist =
          canInsist && (call.action === 'rollback' || call.action === 'restore')
            ? () => void run({ call: { ...call, anyway: true }, undo })
            : undefined;
        setNotice({ text: error.message, failed: true, lines, skipBrowser, insist });
      }
    } finally {
      running.current.delete(key);
      void invalidate(releasesKey);
    }
  }, []);

  return (
    <RunContext value={run}>
      {children}
      <ActionNotice notice={notice} onClose={close} />
    </RunContext>
  );
}

function doneText(call: ReleaseCall, result: ActionResult): string {
  const { outcome, from, to, rev, version, traffic } = result;
  const key = outcome === 'canary' || outcome === 'abandoned' ? outcome : call.action;
  const name = 'name' in call ? call.name : '';
  return t(`done.${key}`, {
    name,
    from: from ?? '–',
    to: to ?? '–',
    rev: rev ?? '',
    version: version ?? '',
    traffic: traffic ?? '',
  });
}
