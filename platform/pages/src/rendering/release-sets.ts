import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  isRenderingOff,
  matchesIntegrity,
  type ReleaseMap,
  type ReleaseSet,
  type SetRelease,
  SHELL,
  type Store,
  selectEntry,
  toPageMap,
} from '@platform/releases';
import { LRUCache } from 'lru-cache';
import { newPrivateFolder, removePrivateFolder } from './private-folder';

const FOLDER = 'server/';
/** Limit of server builds on disk, a few MB each. It is more than the releases of all pools together. */
const MOST_RELEASES = 60;

export class ReleaseSets {
  private folder: Promise<string> | undefined;
  /** The promise resolves to undefined for a release without a server build. */
  private readonly releases: LRUCache<string, Promise<string | undefined>>;

  constructor(
    private readonly store: Store,
    private readonly parent = tmpdir(),
    max = MOST_RELEASES,
  ) {
    this.releases = new LRUCache({ max, disposeAfter: removeFolder });
  }

  /**
   * Returns the releases of this visitor, or undefined when the shell has no server build or its rendering is switched off.
   * Remotes for which either applies are left out.
   */
  async forVisitor(map: ReleaseMap, visitor: number | null): Promise<ReleaseSet | undefined> {
    if (isRenderingOff(map, SHELL)) return undefined;
    const chosen = Object.entries(map.microFrontends)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, entries]) => ({ name, entry: selectEntry(entries, visitor) }))
      .flatMap(({ name, entry }) => (entry ? { name, entry, version: entry.metadata.version } : []));
    const releases: Record<string, SetRelease> = {};
    for (const { name, version } of chosen) {
      const directory = isRenderingOff(map, name) ? undefined : await this.directoryOf(name, version);
      if (directory) releases[name] = { version, directory };
    }
    const { [SHELL]: shell, ...remotes } = releases;
    if (!shell) return undefined;
    const parts = [...chosen.map(({ name, version }) => `${name}@${version}`), map.preview?.version ?? ''];
    const id = createHash('sha256').update(parts.join(' ')).digest('base64url');
    const microFrontends = Object.fromEntries(chosen.map(({ name, entry }) => [name, [entry]]));
    return { id, shell, remotes, map: toPageMap({ ...map, microFrontends }) };
  }

  async close(): Promise<void> {
    const folder = await this.folder?.catch(() => undefined);
    if (folder) await removePrivateFolder(folder);
  }

  private directoryOf(name: string, version: string): Promise<string | undefined> {
    const key = `${name}/${version}`;
    const directory = this.releases.get(key) ?? this.write(name, version);
    this.releases.set(key, directory);
    directory.catch(() => this.releases.delete(key));
    return directory;
  }

  private async write(name: string, version: string): Promise<string | undefined> {
    const manifest = await this.store.readManifest(name, version);
    const files = Object.entries(manifest?.files ?? {}).filter(([file]) => file.startsWith(FOLDER));
    if (files.length === 0) return undefined;
    this.folder ??= newPrivateFolder(this.parent);
    const directory = await mkdtemp(join(await this.folder, `${name}-`));
    for (const [file, { integrity }] of files) {
      if (file.endsWith('.map')) continue;
      const content = await this.store.readFile(name, version, file);
      if (!content || !matchesIntegrity(content, integrity)) {
        await rm(directory, { recursive: true, force: true });
        throw new Error(`${file} of ${name}@${version} is missing in the store or damaged`);
      }
      const path = join(directory, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { mode: 0o444 });
    }
    return directory;
  }
}

async function removeFolder(directory: Promise<string | undefined>): Promise<void> {
  const path = await directory.catch(() => undefined);
  if (path) await rm(path, { recursive: true, force: true });
}
