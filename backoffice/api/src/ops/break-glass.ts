import { randomUUID } from 'node:crypto';
import { recordEvent, sendOnce } from '@platform/watch';
import { healthStore } from '@shop/server/health/health-store';
import type { Database } from '@shop/server/platform/db/database';
import type { Webhooks } from '@shop/server/providers/webhook-settings';

export interface BreakGlassOptions {
  channel: string;
  webhooks: Webhooks;
  db?: Database;
  onError(error: unknown): void;
}

/**
 * Tells the webhooks that somebody uses the break-glass token. Nobody waits for it and it never fails. A database that is away would be a
 * reason to use the token: then it is sent at once, and not again.
 */
export async function tellBreakGlass(
  { channel, webhooks, db, onError }: BreakGlassOptions,
  { person, why }: { person: string; why: string },
): Promise<void> {
  const id = `${channel}:break-glass:${randomUUID()}`;
  const event = { id, who: person, channel, kind: 'break-glass' as const, name: 'ops', version: '', why, evidence: {} };
  try {
    if (!db) throw new Error('there is no database');
    await recordEvent(healthStore(db), event, webhooks);
  } catch (error) {
    onError(error);
    await sendOnce({ ...event, at: new Date().toISOString() }, webhooks);
  }
}
