import type { Store } from '@shop/release';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface FoundFile {
  content: Buffer;
  encoding: Encoding;
}

const SUFFIX: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };

/** Files of releases, kept in memory: they never change, so nothing needs to be asked again. */
export function immutableFiles(store: Store, maxBytes = 64 * 1024 * 1024) {
  const kept = new Map<string, Buffer>();
  let bytes = 0;

  async function readOne(name: string, version: string, file: string): Promise<Buffer | null> {
    const key = `${name}/${version}/${file}`;
    const known = kept.get(key);
    if (known) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const content = await store.readFile(name, version, file);
    if (content && content.length < maxBytes / 8 && !kept.has(key)) {
      kept.set(key, content);
      bytes += content.length;
      for (const [oldest, { length }] of kept) {
        if (bytes <= maxBytes) break;
        kept.delete(oldest);
        bytes -= length;
      }
    }
    return content;
  }

  return {
    /** The sibling that was compressed at publish, or the plain file. */
    async read(name: string, version: string, file: string, accepted: Encoding): Promise<FoundFile | null> {
      if (accepted !== 'identity') {
        const content = await readOne(name, version, file + SUFFIX[accepted]);
        if (content) return { content, encoding: accepted };
      }
      const content = await readOne(name, version, file);
      return content && { content, encoding: 'identity' };
    },
  };
}
