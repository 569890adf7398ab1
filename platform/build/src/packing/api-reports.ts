/**
 * The API report of each entry point that squads import, `<workspace>/api/<entry>.api.md`, with the version that it is of. An API
 * that changes needs a new version (docs/adr/0030-squads-outside.md): the remotes that take the entry point are released by it.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { major, valid } from 'semver';
import { emitDeclarations, surfacesOf } from './declarations';

export interface EntryPoint {
  /** '@acme/shared/ui' */
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

/**
 * The modules that a workspace exports, or those of `only`, with their versions of its `entryPoints`; without that field they have the
 * package's. Throws for one without a version.
 */
export function entryPointsOf(root: string, workspace: string, only?: readonly string[]): EntryPoint[] {
  const manifest = JSON.parse(readFileSync(path.join(root, workspace, 'package.json'), 'utf8')) as Manifest;
  const { name, version: ofPackage, exports, entryPoints } = manifest;
  return Object.entries(exports)
    .map(([key, file]) => ({ entry: key.slice(2), file }))
    .filter(({ entry, file }) => /\.tsx?$/.test(file) && (only?.includes(entry) ?? true))
    .map(({ entry, file }) => {
      const version = entryPoints ? (entryPoints[entry] ?? '') : ofPackage;
      if (!valid(version))
        throw new Error(`${name}/${entry} has no version among the entryPoints of ${workspace}/package.json`);
      return {
        name: `${name}/${entry}`,
        version,
        source: path.posix.join(workspace, file),
        report: `${workspace}/api/${entry.replaceAll('/', '-')}.api.md`,
      };
    });
}

interface Sources {
  root: string;
  /** The tsconfig of declarations, from the root. */
  project: string;
}

/** Writes the reports that have changed, or only compares with `check`. Returns why one may not be written, or is not of this source. */
export function updateReports(
  entries: readonly EntryPoint[],
  { check, say, ...sources }: Sources & { check?: boolean; say: (line: string) => void },
): string[] {
  return reportsOf(entries, sources).flatMap((now, index) => {
    const entry = entries[index] as EntryPoint;
    const file = path.join(sources.root, entry.report);
    const committed = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    const refused = refusal(entry, committed, now);
    if (refused) return [refused];
    if (committed === now) return [];
    if (check) return [`${entry.report} is not of this source: run npm run api`];
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, now);
    say(`wrote ${entry.report}`);
    return [];
  });
}

/** The reports of this source, in the order of the entry points. */
function reportsOf(entries: readonly EntryPoint[], { root, project }: Sources): string[] {
  const cache = path.join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'api-reports-'));
  try {
    emitDeclarations({ root, project, output: folder });
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
