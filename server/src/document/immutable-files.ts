import type { Store } from '@platform/releases';
import type { Encoding } from './prepared-response';

export interface FoundFile {
  content: Buffer;
  encoding: Encoding;
}

const SUFFIX: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };

/** Files of releases in memory, the least recently used dropped first. They never change, so none is read again. */
export function immutableFiles(store: Store, maxBytes = 64 * 1024 * 1024) {
  const cache = new Map<string, Buffer>();
  let bytes = 0;

  async function readCached(name: string, version: string, file: string): Promise<Buffer | null> {
    const key = `${name}/${version}/${file}`;
    const cached = cache.get(key);
    if (cached) {
      cache.delete(key);
      cache.set(key, cached);
      return cached;
    }
    const content = await store.readFile(name, version, file);
    if (content && content.length < maxBytes / 8 && !cache.has(key)) {
      cache.set(key, content);
      bytes += content.length;
      for (const [oldest, { length }] of cache) {
        if (bytes <= maxBytes) break;
        cache.delete(oldest);
        bytes -= length;
      }
    }
    return content;
  }

  return {
    /** The sibling compressed at publish, or the plain file. */
    async read(name: string, version: string, file: string, accepted: Encoding): Promise<FoundFile | null> {
      if (accepted !== 'identity') {
        const content = await readCached(name, version, file + SUFFIX[accepted]);
        if (content) return { content, encoding: accepted };
      }
      const content = await readCached(name, version, file);
      return content && { content, encoding: 'identity' };
    },
  };
}
