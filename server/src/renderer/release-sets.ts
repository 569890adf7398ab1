import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ReleaseSet } from '@shop/release';
import { matchesIntegrity, type ReleaseMap, SHELL, type Store, selectEntry, toPageMap } from '@shop/release';

const FOLDER = 'server/';
/** Server builds on disk, a few MB each; more than the releases of all pools together. */
const MOST_RELEASES = 60;

/** Server builds out of the store in a folder of this server, where processes may read them. */
export class ReleaseSets {
  private folder: Promise<string> | undefined;
  /** Least recently used first. Undefined: the release has no server build. */
  private readonly releases = new Map<string, Promise<string | undefined>>();

  constructor(private readonly store: Store) {}

  /** The releases that this visitor gets; undefined when the shell's has no server build. Remotes without one are left out. */
  async of(map: ReleaseMap, visitor: number | null): Promise<ReleaseSet | undefined> {
    const chosen = Object.keys(map.microFrontends)
      .sort()
      .flatMap((name) => {
        const entry = selectEntry(map.microFrontends[name], visitor);
        return entry ? [[name, entry] as const] : [];
      });
    const releases = await Promise.all(
      chosen.map(
        async ([
          name,
          {
            metadata: { version },
          },
        ]) => [name, version, await this.directoryOf(name, version)] as const,
      ),
    );
    const built = releases.flatMap(([name, version, directory]) =>
      directory ? [[name, { version, directory }] as const] : [],
    );
    const { [SHELL]: shell, ...remotes } = Object.fromEntries(built);
    if (!shell) return undefined;
    const id = createHash('sha256')
      .update(releases.map(([name, version]) => `${name}@${version}`).join(' '))
      .digest('base64url');
    const only = Object.fromEntries(chosen.map(([name, entry]) => [name, [entry]]));
    return { id, shell, remotes, map: toPageMap({ ...map, microFrontends: only }) };
  }

  async close(): Promise<void> {
    const folder = await this.folder?.catch(() => undefined);
    if (folder) await rm(folder, { recursive: true, force: true });
  }

  private directoryOf(name: string, version: string): Promise<string | undefined> {
    const key = `${name}/${version}`;
    const directory = this.releases.get(key) ?? this.write(name, version);
    this.releases.delete(key);
    this.releases.set(key, directory);
    directory.catch(() => this.releases.delete(key));
    if (this.releases.size > MOST_RELEASES) void this.forgetOldest();
    return directory;
  }

  private async forgetOldest(): Promise<void> {
    const [[key, directory] = []] = this.releases;
    if (!key) return;
    this.releases.delete(key);
    const path = await directory?.catch(() => undefined);
    if (path) await rm(path, { recursive: true, force: true });
  }

  private async write(name: string, version: string): Promise<string | undefined> {
    const manifest = await this.store.readManifest(name, version);
    const files = Object.entries(manifest?.files ?? {}).filter(([file]) => file.startsWith(FOLDER));
    if (files.length === 0) return undefined;
    this.folder ??= mkdtemp(join(tmpdir(), 'shop-renderer-'));
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
