import { posix } from 'node:path';
import { placeInSource, type Store, workspaceOf } from '@platform/releases';
import type { RenderFault } from '../rendering/renderer';
import { labelOf } from '../rendering/runtime-config';

const OWN_SOURCE = /^(?!.*node_modules)[\w@./-]+\.[jt]sx?:/;

export async function describeFault(store: Store, { name, version, failure, detail }: RenderFault): Promise<string> {
  const [message = ''] = detail.split('\n');
  const location = await placeOf(store, { name, version }, detail);
  const summary = failure === 'threw' || failure === 'start' ? message : `${failure}: ${message}`;
  return `${summary}${location && ` at ${location}`}, in ${labelOf(name, { version })}`;
}

async function placeOf(store: Store, release: { name: string; version: string }, stack: string): Promise<string> {
  const [, ...rest] = stack.split(`${labelOf(release.name, release)}/`);
  const places = rest.flatMap((text) => /^[^:\s]+:\d+:\d+/.exec(text) ?? []);
  for (const place of places) {
    const source = await placeInSource(store, release, place, (file) => `${file}.map`);
    // Lines of libraries and the bundler say little; the page is further down the stack.
    if (source && OWN_SOURCE.test(source)) return posix.join(workspaceOf(release.name), source);
  }
  return places[0] ?? '';
}
