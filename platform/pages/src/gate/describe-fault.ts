import { SourceMap, type SourceMapPayload } from 'node:module';
import { posix } from 'node:path';
import { type Store, workspaceOf } from '@platform/releases';
import type { RenderFault } from '../rendering/renderer';
import { labelOf } from '../rendering/runtime-config';

const OWN_SOURCE = /^(?!.*node_modules)[\w@./-]+\.[jt]sx?$/;

export async function describeFault(store: Store, { name, version, failure, detail }: RenderFault): Promise<string> {
  const [message = ''] = detail.split('\n');
  const location = await placeOf(store, { name, version }, detail);
  const summary = failure === 'threw' || failure === 'start' ? message : `${failure}: ${message}`;
  return `${summary}${location && ` at ${location}`}, in ${labelOf(name, { version })}`;
}

async function placeOf(store: Store, { name, version }: { name: string; version: string }, stack: string) {
  const folder = `${labelOf(name, { version })}/`;
  for (const line of stack.split('\n')) {
    const index = line.indexOf(folder);
    const [, file, row, column] =
      index < 0 ? [] : (/^([^:]+):(\d+):(\d+)/.exec(line.slice(index + folder.length)) ?? []);
    if (!file) continue;
    const content = await store.readFile(name, version, `${file}.map`);
    if (!content) return `${file}:${row}:${column}`;
    const map = new SourceMap(JSON.parse(content.toString('utf8')) as SourceMapPayload);
    const origin = map.findEntry(Number(row) - 1, Number(column) - 1);
    // Lines of libraries and the bundler say little; the page is further down the stack.
    if (!('originalSource' in origin) || !OWN_SOURCE.test(origin.originalSource)) continue;
    return `${posix.join(workspaceOf(name), origin.originalSource)}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
  }
  return '';
}
