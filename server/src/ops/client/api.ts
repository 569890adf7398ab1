import type { OpsAction, OpsDecision, OpsState, PromoteJob } from '../ops-state';

const POLL_MS = 700;

/** The state, or 'signed-out'. Throws when the server does not answer. */
export async function fetchState(): Promise<OpsState | 'signed-out'> {
  const response = await fetch('/ops/state.json', { cache: 'no-store' });
  if (response.status === 401) return 'signed-out';
  if (!response.ok) throw new Error(`/ops/state.json answered ${response.status}`);
  return (await response.json()) as OpsState;
}

export interface Outcome {
  done: boolean;
  /** The sentence to show. */
  message: string;
  /** The same may be sent again with a reason for leaving out the checks in a browser. */
  canSkipBrowser: boolean;
  /** It waits for a second person. */
  proposed?: boolean;
}

/** `leave` takes it out of the queue for the gate, while it waits there. */
export type OnProgress = (message: string, leave?: () => void) => void;

/** Resolves when it is done or refused; `onProgress` gets what happens meanwhile. Throws when the server does not answer. */
export async function sendAction(action: OpsAction | OpsDecision, onProgress: OnProgress): Promise<Outcome> {
  const response = await fetch('/ops/act', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ops': '1' },
    body: JSON.stringify({ why: 'pressed at /ops', ...action }),
  });
  const answer = (await response.json()) as Partial<PromoteJob> & Pick<Outcome, 'message' | 'proposed'>;
  const { message, canSkipBrowser = false, proposed } = answer;
  if (response.status !== 202) return { done: response.ok, message, canSkipBrowser, proposed };
  onProgress(message);
  return jobOutcome(Number(answer.id), onProgress);
}

async function jobOutcome(id: number, onProgress: OnProgress): Promise<Outcome> {
  const leave = () => void fetch(`/ops/jobs/${id}`, { method: 'DELETE', headers: { 'x-ops': '1' } }).catch(() => {});
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const response = await fetch(`/ops/jobs/${id}`, { cache: 'no-store' });
    if (!response.ok) {
      const message = 'Another server answers now. The history shows whether it was done.';
      return { done: false, message, canSkipBrowser: false };
    }
    const { state, message, place, canSkipBrowser } = (await response.json()) as PromoteJob;
    if (state !== 'running') return { done: state === 'done', message, canSkipBrowser };
    onProgress(message, place > 1 ? leave : undefined);
  }
}
