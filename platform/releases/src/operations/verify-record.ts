import type { KeyObject } from 'node:crypto';
import { AT_ONCE, inParallel } from '../in-parallel';
import { hashOfRevision, parseRevision, signatureFault } from '../record/chain';
import { copyKey, revisionKey } from '../store/map-keys';
import { type Store, StoreError } from '../store/store';
import { DEFAULT_CHANNEL } from './change-map';

export interface RecordResult {
  channel: string;
  /** The newest revision. */
  rev: number;
  ok: boolean;
  /** In order of their revisions. */
  faults: Array<{ rev: number; fault: string }>;
  /** Revisions without a signature: of commands that worked on the store itself. */
  unsigned: number[];
  /** Whether signatures were compared; without the servers' secret they are not. */
  signaturesChecked: boolean;
  /** `<rev>:<hash>` of the newest revision, to be kept elsewhere: `--head` finds out whether the record still goes on from it. */
  head: string;
}

export interface RecordOptions {
  channel?: string;
  /** The servers' (recordKey). */
  key?: KeyObject;
  head?: string;
}

/** Reads the whole history of a channel and finds what was edited, removed or put in another place since it was written. */
export async function verifyRecord(
  store: Store,
  { channel = DEFAULT_CHANNEL, key, head }: RecordOptions = {},
): Promise<RecordResult> {
  const { blobs } = store;
  const copy = await blobs.get(copyKey(channel));
  const names = await blobs.list(`maps/${channel}/history/`);
  const numbers = names.map((name) => Number(/^(\d+)\.json$/.exec(name)?.[1])).filter((rev) => rev > 0);
  const rev = Math.max(0, parseRevision(copy)?.rev ?? 0, ...numbers);
  const read = (at: number) => blobs.get(revisionKey(channel, at));
  const contents = await inParallel(
    Array.from({ length: rev }, (_, index) => index + 1),
    AT_ONCE,
    read,
  );
  const contentOf = (at: number) => contents[at - 1] ?? null;
  const faults: RecordResult['faults'] = [];
  const unsigned: number[] = [];

  for (let at = 1; at <= rev; at += 1) {
    const fail = (fault: string) => faults.push({ rev: at, fault });
    const content = contentOf(at);
    const map = parseRevision(content);
    const record = map?.ops?.record;
    if (!content || !map) {
      fail(content ? 'cannot be read' : 'is missing');
      continue;
    }
    if (map.rev !== at || map.channel !== channel) fail(`holds revision ${map.rev} of ${map.channel}`);
    if (!record) {
      fail('has no hash of the one before');
      continue;
    }
    if (record.before !== hashOfRevision(contentOf(at - 1))) fail(`does not follow revision ${at - 1} as it is now`);
    if (!record.signature) unsigned.push(at);
    else if (key) {
      const fault = signatureFault(map, record.signature, key);
      if (fault) fail(fault);
    }
  }
  if (copy && hashOfRevision(copy) !== hashOfRevision(contentOf(parseRevision(copy)?.rev ?? 0)))
    faults.push({ rev: parseRevision(copy)?.rev ?? rev, fault: `is not what ${copyKey(channel)} holds` });
  if (head !== undefined) {
    const [, at, hash] = /^(\d+):([0-9a-f]{64}|none)$/.exec(head) ?? [];
    if (!at || !hash)
      throw new StoreError(`--head takes what "history --verify" printed, such as 41:3f9c…, not "${head}"`);
    if (hashOfRevision(contentOf(Number(at))) !== hash)
      faults.push({ rev: Number(at), fault: 'is not the one that was the newest once' });
  }
  faults.sort((left, right) => left.rev - right.rev);
  return {
    channel,
    rev,
    ok: faults.length === 0,
    faults,
    unsigned,
    signaturesChecked: key !== undefined,
    head: `${rev}:${hashOfRevision(contentOf(rev))}`,
  };
}
