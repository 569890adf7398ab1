/**
 * The files of the map: the history, in which each revision is created once, and the copy of the newest revision. Readers
 * repair lost, old or damaged files. A revision's number is never used twice, because open tabs compare it.
 */
import { createHash } from 'node:crypto';
import { CHANNEL, type ReleaseMap } from '../contract';
import { emptyMap } from '../map';
import { nextRevision } from '../map/map-change';
import { type Blobs, StoreError } from './blobs';

const FOLDER = `maps/${CHANNEL}`;
export const COPY_KEY = `${FOLDER}.json`;
export const revisionKey = (rev: number): string => `${FOLDER}/history/${rev}.json`;

/** For this time a copy may be behind the history because its writer is still at work. */
const WRITING_MS = 10_000;

interface Damaged {
  damaged: Buffer;
}
type StoredMap = ReleaseMap | Damaged | null;

const isDamaged = (found: StoredMap): found is Damaged => found !== null && 'damaged' in found;
const toBytes = (map: ReleaseMap) => Buffer.from(`${JSON.stringify(map)}\n`);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const isObject = (value: unknown) => typeof value === 'object' && value !== null;

function isMap(value: unknown): value is ReleaseMap {
  if (!isObject(value)) return false;
  const { channel, rev, changed, microFrontends, ops } = value as Partial<ReleaseMap>;
  const parts = [changed, microFrontends, ops, ops?.trail, ops?.since, ops?.frozen];
  return channel === CHANNEL && Number.isInteger(rev) && parts.every(isObject);
}

export function mapFiles(blobs: Blobs, report: (line: string) => void) {
  const reported = new Set<string>();
  /** Reports each line once: a server that may not write meets the same fault at every read. */
  const say = (line: string) => {
    if (!reported.has(line)) report(line);
    reported.add(line);
  };

  const find = async (key: string): Promise<StoredMap> => {
    const content = await blobs.get(key);
    if (!content) return null;
    try {
      const map: unknown = JSON.parse(content.toString('utf8'));
      if (isMap(map) && [COPY_KEY, revisionKey(map.rev)].includes(key)) return map;
    } catch {
      // The file is cut or is not a map.
    }
    return { damaged: content };
  };

  /** The newest readable revision from `map` on, and the highest number in use, which is higher if later revisions cannot be read. */
  const follow = async (map: ReleaseMap): Promise<{ newest: ReleaseMap; used: number }> => {
    let newest = map;
    for (let used = map.rev; ; used += 1) {
      const later = await find(revisionKey(used + 1));
      if (!later) return { newest, used };
      if (!isDamaged(later)) newest = later;
    }
  };

  /** Null if there is no history. Throws StoreError if no revision can be read. */
  const newestInHistory = async (): Promise<ReleaseMap | null> => {
    const files = await blobs.list(`${FOLDER}/history/`);
    const revisions = files.map((file) => Number(/^(\d+)\.json$/.exec(file)?.[1])).filter((rev) => rev > 0);
    for (const rev of revisions.sort((left, right) => right - left)) {
      const map = await find(revisionKey(rev));
      if (map && !isDamaged(map)) return map;
    }
    if (revisions.length === 0) return null;
    throw new StoreError(`no revision of the map in ${blobs.place} can be read; restore maps/ from a backup`);
  };

  /** If the newest revision cannot be read, the last readable one becomes live again, under a number that no tab has seen. */
  const replaceUnreadable = async (start: ReleaseMap): Promise<ReleaseMap> => {
    for (;;) {
      const { newest, used } = await follow(start);
      if (used === newest.rev) return newest;
      const [from, to] = [String(used), String(newest.rev)];
      const author = { by: 'repair', why: `revision ${from} cannot be read` };
      const next = nextRevision({ ...newest, rev: used }, { action: 'restore', name: '*', from, to }, author);
      if (await blobs.putNew(revisionKey(next.rev), toBytes(next))) {
        say(
          `${revisionKey(used)} in ${blobs.place} cannot be read: revision ${next.rev} is revision ${to} again; look at "status"`,
        );
      }
    }
  };

  /** A newer revision may exist after the copy is written. Then it copies that one, so the last writer leaves the newest. */
  const writeCopy = async (map: ReleaseMap): Promise<void> => {
    let newest = map;
    for (;;) {
      await blobs.put(COPY_KEY, toBytes(newest));
      const later = await follow(newest);
      if (later.newest.rev === newest.rev) return;
      newest = later.newest;
    }
  };

  const repair = async (copy: StoredMap, start: ReleaseMap): Promise<ReleaseMap> => {
    const newest = await replaceUnreadable(start);
    const rebuilt = `rebuilt from revision ${newest.rev} of the history`;
    if (isDamaged(copy)) {
      const hash = createHash('sha256').update(copy.damaged).digest('hex').slice(0, 16);
      const aside = `${FOLDER}/damaged/${hash}.json`;
      await blobs.putNew(aside, copy.damaged);
      say(`${COPY_KEY} in ${blobs.place} cannot be read: ${rebuilt}; its content is in ${aside}`);
    } else {
      const isBeingWritten = Date.now() - Date.parse(newest.changed.at) < WRITING_MS && (copy || newest.rev === 1);
      const fault = copy ? `is revision ${copy.rev}` : 'is missing';
      if (!isBeingWritten) say(`${COPY_KEY} in ${blobs.place} ${fault}: ${rebuilt}`);
    }
    await writeCopy(newest);
    return newest;
  };

  return {
    async newest(): Promise<ReleaseMap> {
      const copy = await find(COPY_KEY);
      const start = copy && !isDamaged(copy) ? copy : await newestInHistory();
      if (!start && !copy) return emptyMap();
      if (!start) {
        throw new StoreError(
          `${COPY_KEY} in ${blobs.place} cannot be read and has no history; restore maps/ from a backup`,
        );
      }
      const { newest, used } = await follow(start);
      if (newest === copy && used === newest.rev) return newest;
      try {
        return await repair(copy, newest);
      } catch (error) {
        // A reader without write permission still gets the map.
        say(`${COPY_KEY} in ${blobs.place} could not be repaired: ${messageOf(error)}`);
        return newest;
      }
    },

    /** Resolves to false if another revision has this number. The revision is the commit: `warn` reports failures after it. */
    async add(map: ReleaseMap, warn: (text: string) => void): Promise<boolean> {
      const key = revisionKey(map.rev);
      const content = toBytes(map);
      const isStored = async () => (await blobs.get(key))?.equals(content) ?? false;
      // A store can fail after it has stored the revision.
      const isOurs = await blobs.putNew(key, content).catch(async (error: unknown) => {
        if (await isStored().catch(() => false)) return true;
        throw error;
      });
      if (!isOurs) return false;
      await writeCopy(map).catch((error: unknown) =>
        warn(`revision ${map.rev} is live, but its copy ${COPY_KEY} was not written: ${messageOf(error)}`),
      );
      return true;
    },

    /** Null if it does not exist or cannot be read. The newest revision is rebuilt from the copy. */
    async revision(rev: number): Promise<ReleaseMap | null> {
      const stored = await find(revisionKey(rev));
      if (!isDamaged(stored)) return stored;
      const copy = await find(COPY_KEY);
      if (!copy || isDamaged(copy) || copy.rev !== rev) return null;
      await blobs.put(revisionKey(rev), toBytes(copy));
      say(`${revisionKey(rev)} in ${blobs.place} could not be read: rebuilt from ${COPY_KEY}`);
      return copy;
    },
  };
}
