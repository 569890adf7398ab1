import { randomBytes } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Blobs } from './blobs';

const TEMPORARY = 'tmp';
/** A writer that has not finished after this time was killed. */
const STALE_MILLISECONDS = 3_600_000;

const isCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException | null)?.code ?? '');

/** `missing` if the file or folder does not exist. */
async function unlessMissing<T, M>(work: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await work;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return missing;
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeSynced(path: string, content: Buffer): Promise<void> {
  try {
    await writeFile(path, content, { flag: 'wx', flush: true });
  } catch (error) {
    // A full disk must not keep half-written drafts.
    await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * A folder. Content is written beside its place, synced and then renamed (or linked, if an existing name must win), so a process
 * that dies or a machine that loses power leaves the old state or the new one.
 */
export function folderBlobs(root: string): Blobs {
  const base = resolve(root);
  const path = (key: string) => {
    const full = resolve(base, key);
    if (full !== base && !full.startsWith(base + sep)) throw new Error(`"${key}" is outside the store`);
    return full;
  };
  const temporary = async () => {
    await mkdir(join(base, TEMPORARY), { recursive: true });
    return join(base, TEMPORARY, `${process.pid}-${randomBytes(6).toString('hex')}`);
  };
  const draftOf = async (target: string, content: Buffer) => {
    const draft = await temporary();
    await mkdir(dirname(target), { recursive: true });
    await writeSynced(draft, content);
    return draft;
  };

  return {
    place: `folder ${root}`,
    readAgainMs: 0,
    async get(key) {
      return unlessMissing(readFile(path(key)), null);
    },
    async put(key, content) {
      const target = path(key);
      await rename(await draftOf(target, content), target);
      await syncFolder(dirname(target));
    },
    async putNew(key, content) {
      const target = path(key);
      const draft = await draftOf(target, content);
      try {
        // link, unlike rename, fails if the name exists: the one atomic compare-and-swap that every file system has.
        await link(draft, target);
        await syncFolder(dirname(target));
        return true;
      } catch (error) {
        if (isCode(error, 'EEXIST')) return false;
        throw error;
      } finally {
        await unlink(draft);
      }
    },
    async putAll(prefix, files, marker) {
      const target = path(prefix);
      if ((await this.stamp(`${prefix}/${marker}`)) !== null) return false;
      const draft = await temporary();
      await mkdir(draft);
      const folders = new Set([draft]);
      for (const [file, content] of files) {
        const place = join(draft, file);
        await mkdir(dirname(place), { recursive: true });
        for (let folder = dirname(place); folder !== draft; folder = dirname(folder)) folders.add(folder);
        await writeSynced(place, content);
      }
      for (const folder of folders) await syncFolder(folder);
      await mkdir(dirname(target), { recursive: true });
      try {
        await rename(draft, target);
        await syncFolder(dirname(target));
        return true;
      } catch (error) {
        await rm(draft, { recursive: true, force: true });
        if (isCode(error, 'ENOTEMPTY', 'EEXIST')) return false;
        throw error;
      }
    },
    async list(prefix) {
      return unlessMissing(readdir(path(prefix)), []);
    },
    async removeAll(prefix) {
      // Renamed first, so that a reader never sees a half-removed folder.
      const draft = await temporary();
      try {
        await rename(path(prefix), draft);
      } catch (error) {
        if (isCode(error, 'ENOENT')) return;
        throw error;
      }
      await rm(draft, { recursive: true, force: true });
    },
    async remove(key) {
      await rm(path(key), { force: true });
    },
    async sweep() {
      for (const name of await this.list(TEMPORARY)) {
        const draft = join(base, TEMPORARY, name);
        const age = await stat(draft).then(
          ({ mtimeMs }) => Date.now() - mtimeMs,
          () => 0,
        );
        if (age > STALE_MILLISECONDS) await rm(draft, { recursive: true, force: true });
      }
    },
    async stamp(key) {
      const stats = await unlessMissing(stat(path(key), { bigint: true }), null);
      return stats && stampOf(stats);
    },
    stampNow(key) {
      const stats = statSync(path(key), { bigint: true, throwIfNoEntry: false });
      return stats ? stampOf(stats) : null;
    },
  };
}

const stampOf = ({ mtimeNs, size, ino }: BigIntStats) => `${mtimeNs}-${size}-${ino}`;
