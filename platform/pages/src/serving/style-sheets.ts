import { LRUCache } from 'lru-cache';
import { readSheet, type StyleSheet } from '../render/critical-styles';
import type { ImmutableFiles } from './immutable-files';

/** Of live, previewed and earlier releases. */
const MOST_SHEETS = 60;

/** The style sheets of releases by their addresses; undefined when one cannot be read. They never change. */
export function styleSheets(files: ImmutableFiles) {
  const known = new LRUCache<string, StyleSheet>({ max: MOST_SHEETS });
  const read = async (address: string): Promise<StyleSheet> => {
    const [, name = '', version = '', file = ''] = /^\/r\/([^/]+)\/([^/]+)\/(.+)$/.exec(address) ?? [];
    const found = await files.read(name, version, file, 'identity');
    if (!found) throw new Error(`${address} is not in the store`);
    const sheet = readSheet(found.content.toString());
    known.set(address, sheet);
    return sheet;
  };
  return (addresses: readonly string[]): Promise<StyleSheet[] | undefined> =>
    Promise.all(addresses.map((address) => known.get(address) ?? read(address))).catch(() => undefined);
}
