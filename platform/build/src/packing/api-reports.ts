/**
 * The API report of each entry point that squads import, `<workspace>/api/<entry>.api.md`, with the version that it is of. An API
 * that changes needs a new version (docs/adr/0030-squads-outside.md): the remotes that take the entry point are released by it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { major, valid } from 'semver';
import { emitDeclarations, root, surfacesOf } from './declarations';

export interface EntryPoint {
  /** '@shop/shared/ui' */
  name: string;
  version: string;
  /** Source, from the root of the repository. */
  source: string;
  /** Report, from the root of the repository. */
  report: string;
}

interface Manifest {
  name: string;
  version: string;
  exports: Record<string, string>;
  entryPoints?: Record<string, string>;
}

export const manifestOf = (workspace: string): Manifest =>
  JSON.parse(readFileSync(path.join(root, workspace, 'package.json'), 'utf8')) as Manifest;

/** Throws for an entry point of @shop/shared without a version. */
export function entryPoints(): EntryPoint[] {
  const shared = manifestOf('shared');
  const modules = Object.entries(shared.exports).filter(([, file]) => /\.tsx?$/.test(file));
  const release = manifestOf('platform/releases');
  return [
    ...modules.map(([key, file]) => entryPoint('shared', shared, key, file, shared.entryPoints?.[key.slice(2)])),
    entryPoint('platform/releases', release, './contract', release.exports['./contract'] ?? '', release.version),
  ];
}

function entryPoint(workspace: string, { name }: Manifest, key: string, file: string, version = ''): EntryPoint {
  const entry = key.slice(2);
  if (!valid(version))
    throw new Error(`${name}/${entry} has no version among the entryPoints of ${workspace}/package.json`);
  return {
    name: `${name}/${entry}`,
    version,
    source: path.posix.join(workspace, file),
    report: `${workspace}/api/${entry.replaceAll('/', '-')}.api.md`,
  };
}

/** The reports of this source, in the order of the entry points. */
export function reportsOf(entries: readonly EntryPoint[]): string[] {
  const cache = path.join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'shop-api-'));
  try {
    emitDeclarations(folder);
    const files = entries.map(({ source }) => path.join(folder, source.replace(/\.tsx?$/, '.d.ts')));
    return surfacesOf(files).map(({ names, declarations }, index) =>
      reportOf(entries[index] as EntryPoint, names, declarations),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const reportOf = ({ name, version }: EntryPoint, names: readonly string[], declarations: readonly string[]) =>
  `# ${name} ${version}\n\nExports: ${names.join(', ')}\n\n\`\`\`ts\n${declarations.join('\n')}\n\`\`\`\n`;

/** Why a report may not take the place of the committed one; undefined when it may, or is the same. */
export function refusal(entry: EntryPoint, committed: string | undefined, now: string): string | undefined {
  if (committed === undefined || committed === now) return undefined;
  const was = /^# \S+ (\S+)/.exec(committed)?.[1] ?? '';
  const gone = namesIn(committed).filter((name) => !namesIn(now).includes(name));
  const raise = `raise it in ${path.posix.dirname(path.posix.dirname(entry.report))}/package.json, then run: npm run api`;
  if (withoutVersion(committed) !== withoutVersion(now) && entry.version === was)
    return `the API of ${entry.name} changed and its version ${was} did not: ${raise}`;
  if (gone.length > 0 && major(entry.version) === major(was))
    return `${entry.name} ${was} exported ${gone.join(', ')}, which ${entry.version} does not: a new major is needed; ${raise}`;
  return undefined;
}

const withoutVersion = (report: string) => report.slice(report.indexOf('\n'));
const namesIn = (report: string) => /^Exports: (.*)$/m.exec(report)?.[1]?.split(', ').filter(Boolean) ?? [];
