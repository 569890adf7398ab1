import type { OpsAction, OpsState } from '../ops-state';

/** The state, or 'signed-out'. Throws when the server does not answer. */
export async function fetchState(): Promise<OpsState | 'signed-out'> {
  const response = await fetch('/ops/state.json', { cache: 'no-store' });
  if (response.status === 401) return 'signed-out';
  if (!response.ok) throw new Error(`/ops/state.json answered ${response.status}`);
  return (await response.json()) as OpsState;
}

/** Whether it was done, and the sentence to show. Throws when the server does not answer. */
export async function sendAction(action: OpsAction): Promise<{ done: boolean; message: string }> {
  const response = await fetch('/ops/act', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ops': '1' },
    body: JSON.stringify({ why: 'pressed at /ops', ...action }),
  });
  const { message } = (await response.json()) as { message: string };
  return { done: response.ok, message };
}
