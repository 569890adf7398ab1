/** The manifest of a build: `<workspace>/dist/release.json`. It contains no time or machine, so the same source gives the same bytes. */
import { createHash } from 'node:crypto';
import {
  type ExposedFiles,
  type FileGroup,
  type GateFlow,
  isReleaseFile,
  isReleaseName,
  isReleaseVersion,
  isServerFile,
  type RemoteContract,
  SHELL,
  type Singletons,
} from './contract';
import { contractFaults, flowFaults, isRecord } from './contract-faults';
import { holdsControlCharacters } from './plain-text';
import { StoreError } from './store/blobs';

export interface FileRecord {
  /** Bytes, uncompressed. */
  size: number;
  /** Subresource integrity, `sha384-…`. */
  integrity: string;
}

export interface ReleaseManifest {
  schema: 1;
  name: string;
  /** Package version and the first eight hex digits of the content's hash: '1.0.0-3f9c2ab1'. */
  version: string;
  /** Version of the contract between shell and remotes. */
  contract: 1;
  /** 'remoteEntry.js' for a remote, 'main.[hash].js' for the shell. */
  entry: string;
  /** Every file except release.json and the compressed siblings. */
  files: Record<string, FileRecord>;
  /** The shell's first files; a remote's entry. */
  initial: FileGroup;
  /** Exposed module, or lazy singleton of a shell, to the files it needs besides the entry. */
  exposes: Record<string, ExposedFiles>;
  singletons: Singletons;
  /** Version of the container interface between shell and remotes (`containerInterface` in rspack.base.js). */
  runtime: string;
  /** Global that the entry defines, if it is not the default, `containerName` (builds of the official plugin). */
  container?: string;
  remote?: RemoteContract;
  /** The pages and calls of other parts that the code uses, as read by its build; absent in older releases. Browsers never get it. */
  uses?: ReleaseUses;
  /** What the browser gate does on its pages; browsers never get it. */
  flows?: readonly GateFlow[];
}

export interface ReleaseUses {
  /** By the path of a page's route. */
  links: Record<string, LinkUse>;
  /** Method and path: 'GET /api/things'. */
  calls: readonly string[];
}

export interface LinkUse {
  /** The remote that had the page when the release was built; absent for a page of another repository. */
  remote?: string;
}

const INTEGRITY = /^sha(256|384|512)-[A-Za-z0-9+/]+={0,2}$/;
const digest = (algorithm: string, content: Buffer | string) =>
  `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;

export const integrityOf = (content: Buffer | string): string => digest('sha384', content);

export const matchesIntegrity = (content: Buffer, integrity: string): boolean =>
  digest(integrity.slice(0, integrity.indexOf('-')), content) === integrity;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** All faults of the manifest in words; empty if it is sound. */
export function manifestFaults(value: unknown): string[] {
  if (!isRecord(value)) return ['it is not an object'];
  const manifest = value as unknown as ReleaseManifest;
  const faults: string[] = [];
  const expect: Expect = (ok, fault) => {
    if (!ok) faults.push(fault);
  };
  expect(manifest.schema === 1, `schema must be 1, not ${JSON.stringify(manifest.schema)}`);
  expect(typeof manifest.name === 'string' && isReleaseName(manifest.name), 'name must be a short lower-case word');
  expect(
    typeof manifest.version === 'string' && isReleaseVersion(manifest.version),
    'version must look like 1.0.0-3f9c2ab1',
  );
  // The name decides, because the permissions of a key are for names.
  const isShell = manifest.name === SHELL;
  expect(Number.isInteger(manifest.contract), 'contract must be a whole number');
  expect(typeof manifest.runtime === 'string', 'runtime must be a version');
  if (!isRecord(manifest.files)) return [...faults, 'files must be an object'];
  checkFileRecords(manifest, expect);
  checkFileGroups(manifest, expect);
  expect(
    isRecord(manifest.singletons) && isRecord(manifest.singletons.provides) && isRecord(manifest.singletons.needs),
    'singletons needs provides and needs',
  );
  if (isShell) expect(manifest.remote === undefined, 'the shell has no contract of a remote');
  else faults.push(...contractFaults(manifest));
  expect(
    manifest.container === undefined || isOwnContainer(manifest),
    `container "${manifest.container}" must be a global that begins with "${ownGlobal(manifest.name)}"`,
  );
  expect(manifest.uses === undefined || areUses(manifest.uses), 'uses needs links and the names of calls');
  expect(!holdsControlCharacters(manifest), 'a text in it holds control characters');
  if (manifest.flows !== undefined) {
    // The shell has the routes of all remotes, which its build does not know.
    const routes = isShell ? null : (manifest.remote?.routes ?? []).map(({ path }) => path);
    faults.push(...flowFaults(manifest.flows, routes));
  }
  return faults;
}

const areUses = (value: unknown): boolean =>
  isRecord(value) && isRecord(value.links) && Object.values(value.links).every(isRecord) && isTexts(value.calls);

type Expect = (ok: boolean, fault: string) => void;

function checkFileRecords({ files }: ReleaseManifest, expect: Expect): void {
  for (const [file, record] of Object.entries(files)) {
    expect(isReleaseFile(file), `file name "${file}" is not allowed`);
    const sound =
      isRecord(record) &&
      Number.isInteger(record.size) &&
      typeof record.integrity === 'string' &&
      INTEGRITY.test(record.integrity);
    expect(sound, `file "${file}" lacks its size or hash`);
  }
}

function checkFileGroups({ files, entry, initial, exposes }: ReleaseManifest, expect: Expect): void {
  // The gate recognizes scripts and styles by their extension, and no browser gets a file of the server build.
  const checkFile = (file: unknown, where: string, ending: '.js' | '.css') => {
    expect(typeof file === 'string' && Object.hasOwn(files, file), `${where} names "${file}", not in files`);
    const isForBrowsers = typeof file === 'string' && file.endsWith(ending) && !isServerFile(file);
    expect(isForBrowsers, `${where} names "${file}", which is not a ${ending} file for browsers`);
  };
  const checkGroup = (group: unknown, where: string) => {
    if (!isRecord(group) || !isTexts(group.js) || !isTexts(group.css))
      return expect(false, `${where} needs js and css`);
    for (const file of group.js) checkFile(file, where, '.js');
    for (const file of group.css) checkFile(file, where, '.css');
  };
  checkFile(entry, 'entry', '.js');
  checkGroup(initial, 'initial');
  if (!isRecord(exposes)) {
    expect(false, 'exposes must be an object');
    return;
  }
  for (const [page, group] of Object.entries(exposes)) {
    checkGroup(group, `exposes ${page}`);
    const { shares } = group ?? {};
    expect(shares === undefined || isTexts(shares), `shares of ${page} must be names`);
  }
}

const ownGlobal = (name: unknown) => String(name).replaceAll('-', '_');

/** The entry may write this global, so it must not be one of the browser's. */
const isOwnContainer = ({ name, container }: ReleaseManifest): boolean => {
  const prefix = ownGlobal(name);
  return typeof container === 'string' && new RegExp(`^(mfe_)?${prefix}(_\\w+)?$`).test(container);
};

/** `file`: the path of the manifest, for messages. Throws StoreError with the fault. */
export function parseManifest(raw: Buffer, file: string): ReleaseManifest {
  let manifest: ReleaseManifest;
  try {
    manifest = JSON.parse(raw.toString('utf8'));
  } catch {
    throw new StoreError(`${file} is not JSON; build again: npm run release -- build`);
  }
  const faults = manifestFaults(manifest);
  if (faults.length > 0) throw new StoreError(`${file}: ${faults.join('; ')}`);
  return manifest;
}
