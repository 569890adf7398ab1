/**
 * What a build says of itself. `scripts/build.ts` leaves it as `<workspace>/dist/release.json`; publishing carries it into the
 * store unchanged. It holds nothing of time or machine: the same source gives the same bytes.
 */
export const MANIFEST_FILE = 'release.json';
export const CONTRACT_VERSION = 1;

export type LocalText = string | Record<'zh-CN' | 'en', string>;

/** Layout flags of specification, section 2. Absent means false, but for keepAlive and layout. */
export interface RouteFlags {
  tabBar?: boolean;
  topBar?: boolean;
  placeholder?: boolean;
  fixed?: boolean;
  transparent?: boolean;
  showTitle?: boolean;
  search?: boolean;
  back?: boolean;
  /** Default true. */
  keepAlive?: boolean;
  requiresLogin?: boolean;
  /** Default true; false stands outside the layout (/youxi). */
  layout?: boolean;
}

export interface RouteContract {
  /** React Router syntax: '/goods/:id'. */
  path: string;
  /** The exposed module, './product'. */
  page: string;
  /** Source file; used by the build only. */
  module: string;
  title: LocalText;
  flags?: RouteFlags;
  /** Calls that the page makes first, in the order of their weight. The document starts them before any script has arrived. */
  firstCalls?: FirstCall[];
}

export interface FirstCall {
  /** A GET of the API with the query that the page's own call has. ':id' takes the route's parameter. */
  url: string;
  /** Only where the address has no query, because a query changes the call. */
  plain?: boolean;
  /** Where in the answer the largest picture's address stands, '0.image' for the first of a list. It is fetched at once. */
  picture?: string;
}

export interface NavigationContract {
  path: string;
  label: Record<'zh-CN' | 'en', string>;
  icon: string;
  order: number;
}

export interface RemoteContract {
  $schema?: string;
  name: string;
  contract: 1;
  routes: RouteContract[];
  tabBar?: NavigationContract[];
  drawer?: NavigationContract[];
}

export interface FileRecord {
  /** Bytes, uncompressed. */
  size: number;
  /** Subresource integrity, `sha384-…`. */
  integrity: string;
}

export interface FileGroup {
  js: string[];
  css: string[];
}

export interface Singletons {
  /** Share name to the version that this release brings. */
  provides: Record<string, string>;
  /** Share name to the range that this release accepts. */
  needs: Record<string, string>;
}

export interface ReleaseManifest {
  schema: 1;
  name: string;
  /** Package version and the first eight hex digits of the content's hash: '1.0.0-3f9c2ab1'. */
  version: string;
  kind: 'shell' | 'remote';
  /** Version of the contract between shell and remotes. */
  contract: 1;
  /** 'remoteEntry.js' for a remote, 'main.[hash].js' for the shell. */
  entry: string;
  /** Every file but release.json and the compressed siblings. */
  files: Record<string, FileRecord>;
  /** Shell: what the page must load. Remote: its entry and nothing else. */
  initial: FileGroup;
  /** Per exposed module, the files a page needs besides the entry. */
  exposes: Record<string, FileGroup>;
  singletons: Singletons;
  /** Version of the interface between shell and entries (`containerInterface` in rspack.base.js). */
  runtime: string;
  remote?: RemoteContract;
}

const NAME = /^[a-z][a-z0-9-]{0,40}$/;
const VERSION = /^[0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.+-]{0,80}$/;
const INTEGRITY = /^sha(256|384|512)-[A-Za-z0-9+/]+={0,2}$/;

export const isReleaseName = (name: string): boolean => NAME.test(name);
export const isReleaseVersion = (version: string): boolean => VERSION.test(version) && !version.includes('..');

/** A path inside a release: relative, forward slashes, no step up, no hidden file, no compressed sibling. */
export function isReleaseFile(file: string): boolean {
  return (
    /^[A-Za-z0-9_@~+-][A-Za-z0-9_@~+./-]*$/.test(file) &&
    !file.split('/').some((part) => part === '' || part.startsWith('.')) &&
    !/\.(br|gz)$/.test(file) &&
    file !== MANIFEST_FILE
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Every fault of the manifest in words; an empty list means that it is sound. */
export function manifestFaults(value: unknown): string[] {
  if (!isRecord(value)) return ['it is not an object'];
  const manifest = value as unknown as ReleaseManifest;
  const faults: string[] = [];
  const expect = (ok: boolean, fault: string) => {
    if (!ok) faults.push(fault);
  };
  expect(manifest.schema === 1, `schema must be 1, not ${JSON.stringify(manifest.schema)}`);
  expect(typeof manifest.name === 'string' && isReleaseName(manifest.name), 'name must be a short lower-case word');
  expect(
    typeof manifest.version === 'string' && isReleaseVersion(manifest.version),
    'version must look like 1.0.0-3f9c2ab1',
  );
  expect(manifest.kind === 'shell' || manifest.kind === 'remote', "kind must be 'shell' or 'remote'");
  expect(Number.isInteger(manifest.contract), 'contract must be a whole number');
  expect(typeof manifest.runtime === 'string', 'runtime must be a version');
  if (!isRecord(manifest.files)) return [...faults, 'files must be an object'];
  for (const [file, record] of Object.entries(manifest.files)) {
    expect(isReleaseFile(file), `file name "${file}" is not allowed`);
    expect(
      isRecord(record) &&
        Number.isInteger(record.size) &&
        typeof record.integrity === 'string' &&
        INTEGRITY.test(record.integrity),
      `file "${file}" lacks its size or hash`,
    );
  }
  const known = (file: unknown, where: string) =>
    expect(typeof file === 'string' && Object.hasOwn(manifest.files, file), `${where} names "${file}", not in files`);
  known(manifest.entry, 'entry');
  const group = (files: unknown, where: string) => {
    if (!isRecord(files) || !isTexts(files.js) || !isTexts(files.css))
      return expect(false, `${where} needs js and css`);
    for (const file of [...files.js, ...files.css]) known(file, where);
  };
  group(manifest.initial, 'initial');
  if (isRecord(manifest.exposes)) {
    for (const [page, files] of Object.entries(manifest.exposes)) group(files, `exposes ${page}`);
  } else expect(false, 'exposes must be an object');
  expect(
    isRecord(manifest.singletons) && isRecord(manifest.singletons.provides) && isRecord(manifest.singletons.needs),
    'singletons needs provides and needs',
  );
  if (manifest.kind === 'remote') {
    if (!isRecord(manifest.remote) || !Array.isArray(manifest.remote.routes)) {
      expect(false, 'a remote must carry its remote.json with routes');
    } else {
      expect(manifest.remote.name === manifest.name, `remote.json is of "${manifest.remote.name}"`);
      for (const route of manifest.remote.routes) {
        expect(
          typeof route?.path === 'string' && route.path.startsWith('/'),
          `route "${route?.path}" must start with /`,
        );
        expect(
          isRecord(manifest.exposes) && Object.hasOwn(manifest.exposes, route?.page),
          `route "${route?.path}" names page "${route?.page}", which is not exposed`,
        );
        for (const { url } of route.firstCalls ?? []) {
          const parameters = url.match(/:[A-Za-z_]\w*/g) ?? [];
          expect(
            url.startsWith('/api/') && parameters.every((name) => route.path.split('/').includes(name)),
            `first call "${url}" of "${route.path}" must be one of /api/ with parameters of the route`,
          );
        }
      }
    }
  }
  return faults;
}
