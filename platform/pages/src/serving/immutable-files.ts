import type { Store } from '@platform/releases';
import { LRUCache } from 'lru-cache';
import { readSheet, type StyleSheet } from '../compose/critical-styles';
import type { Encoding } from './prepared-response';

export type ImmutableFiles = ReturnType<typeof immutableFiles>;

const SUFFIX: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };

/** Caches files of releases in memory. They never change, so they need no invalidation; the least recently used go first. */
export function immutableFiles(store: Pick<Store, 'readFile'>, maxSize = 64 * 1024 * 1024) {
  const contents = new LRUCache<string, Buffer>({
    maxSize,
    maxEntrySize: maxSize / 8,
    sizeCalculation: ({ length }) => length || 1,
  });

  async function readCached(name: string, version: string, file: string): Promise<Buffer | null> {
    const key = `${name}/${version}/${file}`;
    const content = contents.get(key) ?? (await store.readFile(name, version, file));
    if (content) contents.set(key, content);
    return content;
  }

  return {
    async read(name: string, version: string, file: string, accepted: Encoding) {
      if (accepted !== 'identity') {
        const content = await readCached(name, version, file + SUFFIX[accepted]);
        if (content) return { content, encoding: accepted };
      }
      const content = await readCached(name, version, file);
      return content && { content, encoding: 'identity' as const };
    },
  };
}

const MAX_SHEETS = 60;

export function styleSheets(files: ImmutableFiles) {
  const cache = new LRUCache<string, StyleSheet>({ max: MAX_SHEETS });
  const read = async (address: string): Promise<StyleSheet> => {
    const [, name = '', version = '', file = ''] = /^\/r\/([^/]+)\/([^/]+)\/(.+)$/.exec(address) ?? [];
    const match = await files.read(name, version, file, 'identity');
    if (!match) throw new Error(`${address} is not in the store`);
    const sheet = readSheet(match.content.toString());
    cache.set(address, sheet);
    return sheet;
  };
  return (addresses: readonly string[]): Promise<StyleSheet[] | undefined> =>
    Promise.all(addresses.map((address) => cache.get(address) ?? read(address))).catch(() => undefined);
}
