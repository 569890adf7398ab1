/** Calls below /staff/api/releases. They answer as the release API does: by HTTP status, and a promote with a line for each check. */
import type { ActionRequest, OpsRelease, OpsState } from '@shop/backoffice/wire';
import { ask, call, dataOf, StaffApiError } from '../api';

export type ReleaseCall = ActionRequest<Exclude<ActionRequest['action'], 'promote-together' | 'gate'>>;

export interface ActionResult {
  outcome?: string;
  version?: string | null;
  from?: string | null;
  to?: string | number | null;
  traffic?: number;
}
export interface Refusal {
  message: string;
  /** The rollback target is worse than the live release. */
  canInsist?: boolean;
}

interface Line {
  result?: ActionResult;
  say?: string;
  check?: { check: string; outcome: string; detail: string };
  error?: Refusal;
}

export const releasesKey = ['releases'] as const;

export const releasesState = (): Promise<OpsState> => call('releases/state', { watch: true });

/** Ends the canary, or rolls back to the version that the button names, even if the target changes meanwhile. */
export const rollBack = ({ name, canary, version, target }: OpsRelease): ReleaseCall =>
  canary
    ? { action: 'rollback', name, from: canary.version }
    : { action: 'rollback', name, from: version ?? undefined, to: target ?? undefined };

/** A promote may take minutes; `onLine` gets its progress. Undefined if the answer ends too early. Throws StaffApiError. */
export async function sendAction(call: ReleaseCall, onLine: (line: string) => void): Promise<ActionResult | undefined> {
  // It ends with the server's answer, after any time.
  const { signal } = new AbortController();
  const response = await ask(`releases/${call.action}`, { method: 'POST', body: bodyOf(call), signal });
  const isStream = response.headers.get('content-type')?.startsWith('application/x-ndjson');
  if (!isStream || !response.body) return dataOf(response);
  for await (const line of linesOf(response.body)) {
    const { say, check, result = {}, error } = JSON.parse(line) as Line;
    if (check) onLine(`${check.check} ${check.outcome}: ${check.detail}`);
    else if (say) onLine(say);
    else if (error) throw new StaffApiError(response.status, error.message, error);
    else return result;
  }
}

function bodyOf({ action, ...body }: ReleaseCall): object {
  // The page shows the canary beside the button and can undo this, so the promote may replace it.
  return { why: 'clicked at /ops', ...(action === 'promote' && { replace: true }), ...body };
}

/** Skips empty lines, which the server sends so that proxies keep the connection. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = done ? '' : (lines.pop() ?? '');
    yield* lines.filter((line) => line.trim() !== '');
    if (done) return;
  }
}
