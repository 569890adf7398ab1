import type { Store } from '@platform/releases';
import { LRUCache } from 'lru-cache';

/** Style sheets of live, previewed and earlier releases. */
const MOST_SHEETS = 100;

/** The texts of releases' style sheets by their addresses; undefined when one cannot be read. */
export function readSheets(store: Pick<Store, 'readFile'>) {
  const known = new LRUCache<string, string>({ max: MOST_SHEETS });
  const read = async (address: string): Promise<string> => {
    const [, name = '', version = '', file = ''] = /^\/r\/([^/]+)\/([^/]+)\/(.+)$/.exec(address) ?? [];
    const text = known.get(address) ?? (await store.readFile(name, version, file))?.toString('utf8');
    if (text === undefined) throw new Error(`${address} is not in the store`);
    known.set(address, text);
    return text;
  };
  return (addresses: readonly string[]): Promise<string[] | undefined> =>
    Promise.all(addresses.map(read)).catch(() => undefined);
}
