import { SourceMap, type SourceMapPayload } from 'node:module';
import { sourceMapOf } from '../contract';
import type { Store } from '../store/store';

/** Larger maps take too long to parse for one line of a page. */
const LARGEST_MAP = 8_000_000;

/**
 * The position in the source for a position in a file of a release, by the source map that was published with it; null if the map has none.
 * `at` contains the file of the release, line and column from 1. The result has the same shape: "./src/product/price.tsx:12:5".
 * `mapOf` names the source map of a file; by default that of a file for browsers.
 */
export async function placeInSource(
  store: Store,
  { name, version }: { name: string; version: string },
  at: string,
  mapOf = sourceMapOf,
): Promise<string | null> {
  const [, file = '', line, column] = /^([\w@./-]+\.js):(\d+):(\d+)$/.exec(at) ?? [];
  if (!file || file.includes('..')) return null;
  const content = await store.readFile(name, version, mapOf(file));
  if (!content || content.length > LARGEST_MAP) return null;
  try {
    // A publisher wrote the map, so its content is not trusted.
    const map = new SourceMap(JSON.parse(content.toString('utf8')) as SourceMapPayload);
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry) || typeof entry.originalSource !== 'string' || !entry.originalSource) return null;
    return `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`.slice(0, 200);
  } catch {
    return null;
  }
}
