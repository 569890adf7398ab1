/** Folders below the temporary folder that only this user may enter. A later server removes them if this one is killed. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Containers may share a folder, but not their processes, so the name contains the host. */
const OWN = `renderer-${createHash('sha256').update(hostname()).digest('hex').slice(0, 8)}-`;
const foldersOfProcess = new Set<string>();

export async function newPrivateFolder(parent = tmpdir()): Promise<string> {
  await removeAbandoned(parent);
  // mkdtemp creates it with mode 0700.
  const folder = await mkdtemp(join(parent, `${OWN}${process.pid}-`));
  foldersOfProcess.add(folder);
  return folder;
}

export async function removePrivateFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  foldersOfProcess.delete(folder);
}

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent);
  const abandoned = names.filter((name) => {
    const id = Number(new RegExp(`^${OWN}(\\d+)-`).exec(name)?.[1]);
    // In a container, the next server has the same process id as the one before.
    return id === process.pid ? !foldersOfProcess.has(join(parent, name)) : id > 0 && !isAlive(id);
  });
  await Promise.all(abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
