/** No release of a remote styles or changes what is not its own. Its own build says the same with lines of the source (scripts/build.ts). */
import { isServerFile } from '../contract';
import { kindOf, type ReleaseManifest } from '../manifest';
import type { Store } from '../store/store';
import { type Check, checkOf, passed } from './verdict';

const shown = 5;

export async function checkIsolation(store: Store, manifest: ReleaseManifest): Promise<Check> {
  const { name, version } = manifest;
  if (kindOf(name) === 'shell') return passed('own-pages', 'the shell may style and change the document');
  // Parsers that only the gate needs.
  const { isolationFindings } = require('../isolation') as typeof import('../isolation');
  const faults: string[] = [];
  for (const file of Object.keys(manifest.files)) {
    // The server build runs in a process of its own, without a document.
    if (!/\.(js|css)$/.test(file) || isServerFile(file)) continue;
    const content = (await store.readFile(name, version, file))?.toString('utf8') ?? '';
    for (const { line, column, what } of isolationFindings(manifest, file, content)) {
      faults.push(`${file}:${line}:${column} ${what}`);
    }
  }
  const more = faults.length > shown ? [`and ${faults.length - shown} more`] : [];
  return checkOf('own-pages', [...faults.slice(0, shown), ...more], 'styles and scripts keep to its own pages');
}
