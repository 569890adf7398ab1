/**
 * Serves a running site with one workspace built on this machine, whose edits are applied in the open page (React Refresh). The
 * shell is a development build too, because React applies updates only in its development build. Everything else comes from the
 * running site, which may be another dev server. The CSP is as strict as there.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  contentTypeOf,
  forward,
  isReleaseFile,
  type MapEntry,
  matchRoute,
  type ReleaseMap,
  type RemoteContract,
  SHELL,
} from '@platform/releases';
import type { Product } from '../build-release';

export interface DevBuild {
  version: string;
  /** The hash of the compilation, which names the updates for open pages. */
  hash: string;
  folder: string;
  entry: string;
  files: Record<string, string>;
  initial: { js: string[]; css: string[] };
  milliseconds: number;
}

/** A fault of the code: file relative to the workspace, line and column from 1. */
export interface DevFault {
  message: string;
  file?: string;
  line?: number;
  column?: number;
}

export interface DevServerOptions {
  product: Product;
  name: string;
  directory: string;
  /** Absolute path of the shell's sources, or of its packed development build (`buildShellForDev`). */
  shell?: string;
  against: URL;
  /** 0 selects any free port. */
  port: number;
  documentOf(map: ReleaseMap, page: { path: string }): { headers: Record<string, string>; html: string };
  serverRoutes: readonly string[];
  console: Pick<Console, 'log' | 'error'>;
}

export type DevServer = Awaited<ReturnType<typeof startDevServer>>;

interface Workspace {
  name: string;
  directory: string;
  build: DevBuild | null;
  /** The errors of the last build. */
  faults: DevFault[];
  compiler?: ChildProcess;
}

const isDevVersion = /^0\.0\.0-dev[\da-z]+-\d+$/;

/** An open page may still request files of the previous version. */
const folderOf = ({ version, folder }: DevBuild, requestedVersion: string): string =>
  requestedVersion === version ? folder : path.join(path.dirname(folder), requestedVersion);

const client = path.join(__dirname, 'client.js');

/** Resolves when it listens; until the first build is done the running site's release is served. Rejects when the port is in use. */
export async function startDevServer(options: DevServerOptions) {
  const { name, directory, against, documentOf } = options;
  const serverRoutes = options.serverRoutes.map((route) => ({ path: route }));
  const workspaces = new Map<string, Workspace>();
  const openPages = new Set<ServerResponse>();
  const notify = (workspace: Workspace) => {
    for (const page of openPages) page.write(eventOf(workspace));
  };
  let isOnDevServer = false;
  const listen = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    for (const workspace of workspaces.values()) response.write(eventOf(workspace));
    openPages.add(response);
    // Each page has one stream, because a browser has six connections for all tabs of an origin.
    const relayed = isOnDevServer
      ? http.get(new URL('/__dev/events', against), (events) => events.on('data', (event) => response.write(event)))
      : undefined;
    relayed?.on('error', () => {});
    response.on('close', () => {
      relayed?.destroy();
      openPages.delete(response);
    });
  };

  const siteMap = async () => (await (await fetch(new URL('/releases/production.json', against))).json()) as ReleaseMap;
  const devMap = async (): Promise<ReleaseMap> => {
    const map = await siteMap();
    const microFrontends = { ...map.microFrontends };
    for (const { name, directory, build } of workspaces.values())
      if (build) microFrontends[name] = [devEntry(name, directory, build, microFrontends[name]?.[0])];
    // A remote's development build needs that of the shell, which may be the other dev server's.
    const shell = microFrontends[SHELL]?.[0]?.metadata.version ?? '';
    return options.shell && !isDevVersion.test(shell) ? map : { ...map, microFrontends };
  };
  const isPage = (request: IncomingMessage, pathname: string): boolean => {
    const asksForHtml = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    return asksForHtml && matchRoute(serverRoutes, pathname) === null;
  };

  const server = http.createServer((request, response) => {
    // URL would treat '//elsewhere.example/x' as another host, and throws for some addresses.
    const [pathname = '/'] = (request.url ?? '/').split('?', 1);
    const fail = (error: unknown) => {
      response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`${against.origin} did not answer: ${error instanceof Error ? error.message : error}\n`);
    };
    if (pathname === '/__dev/events') return listen(response);
    if (pathname === '/__dev/faults')
      return sendJson(
        response,
        [...workspaces.values()].flatMap(({ faults }) => faults),
      );
    if (pathname === '/__dev/client.js') return send(response, 'text/javascript', readFileSync(client, 'utf8'));
    const workspace = workspaces.get(pathname.split('/')[2] ?? '');
    const version = pathname.split('/')[3] ?? '';
    const base = `/r/${workspace?.name}/${version}/`;
    if (workspace?.build && pathname.startsWith(base) && isDevVersion.test(version))
      return sendFile(response, folderOf(workspace.build, version), pathname.slice(base.length));
    if (pathname.startsWith('/releases/')) {
      devMap().then((map) => sendJson(response, map), fail);
      return;
    }
    if (isPage(request, pathname)) {
      devMap().then((map) => {
        const page = documentOf(map, { path: pathname });
        response.writeHead(200, { ...page.headers, 'cache-control': 'no-store' });
        response.end(page.html.replace('<head>', '<head><script src="/__dev/client.js"></script>'));
      }, fail);
      return;
    }
    forward(request, response, against, fail);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, resolve);
  });

  workspaces.set(name, compile(options, name, directory, notify));
  // Another dev server has a development build of the shell.
  isOnDevServer = await fetch(new URL('/__dev/faults', against)).then(
    (response) => response.json().then(Array.isArray, () => false),
    () => false,
  );
  if (options.shell && name !== SHELL && !isOnDevServer)
    workspaces.set(SHELL, packedShell(options.shell) ?? compile(options, SHELL, options.shell, notify));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close(): void {
      for (const { compiler } of workspaces.values()) compiler?.kill();
      server.close();
      server.closeAllConnections();
    },
  };
}

const PACKED = 'dev-build.json';
const compileFile = path.join(__dirname, 'compile.cjs');

/** Writes the development build of a shell into a folder, for squads that do not have its sources. */
export function buildShellForDev({ recipe }: Product, directory: string, output: string): void {
  execFileSync(process.execPath, [compileFile, recipe, SHELL, directory, output, 'once'], { stdio: 'inherit' });
}

function packedShell(directory: string): Workspace | null {
  const file = path.join(directory, PACKED);
  if (!existsSync(file)) return null;
  const build: DevBuild = { ...JSON.parse(readFileSync(file, 'utf8')), folder: directory };
  return { name: SHELL, directory, build, faults: [] };
}

function compile(
  { product, console }: DevServerOptions,
  name: string,
  directory: string,
  notify: (workspace: Workspace) => void,
): Workspace {
  // Another dev server may build the same workspace at the same time.
  const output = mkdtempSync(path.join(tmpdir(), `dev-${name}-`));
  const compiler = fork(compileFile, [product.recipe, name, directory, output], {
    execArgv: [],
  });
  const workspace: Workspace = { name, directory, build: null, faults: [], compiler };
  compiler.on('message', (message: DevBuild | { faults: DevFault[] }) => {
    if ('faults' in message) {
      workspace.faults = message.faults;
      for (const fault of message.faults) console.error(`${placeOf(fault)}${fault.message}`);
    } else {
      console.log(`${workspace.build ? 'rebuilt' : 'built'} ${name} in ${message.milliseconds} ms`);
      workspace.build = message;
      workspace.faults = [];
    }
    notify(workspace);
  });
  return workspace;
}

const placeOf = ({ file, line, column }: DevFault): string =>
  file ? `${[file, line, column].filter((part) => part !== undefined).join(':')}: ` : '';

function eventOf({ name, build, faults }: Workspace): string {
  const state = { name, version: build?.version, hash: build?.hash, faults };
  return `data: ${JSON.stringify(state)}\n\n`;
}

function devEntry(name: string, directory: string, build: DevBuild, live: MapEntry | undefined): MapEntry {
  const readContract = (): RemoteContract => JSON.parse(readFileSync(path.join(directory, 'remote.json'), 'utf8'));
  const remote = name === SHELL ? undefined : readContract();
  return {
    metadata: { version: build.version },
    deployment: { traffic: 100, default: true },
    extras: {
      fallback: null,
      base: `/r/${name}/${build.version}/`,
      entry: build.entry,
      initial: build.initial,
      // There are no preloads: chunks of a development build carry no integrity, and a preload must agree with its request.
      exposes: Object.fromEntries((remote?.routes ?? []).map(({ page }) => [page, { js: [], css: [] }])),
      integrity: build.files,
      singletons: live?.extras.singletons ?? { provides: {}, needs: {} },
      runtime: live?.extras.runtime ?? '',
      remote,
    },
  };
}

const sendJson = (response: ServerResponse, value: unknown) =>
  send(response, 'application/json', JSON.stringify(value));

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' });
  response.end(body);
}

function sendFile(response: ServerResponse, folder: string, file: string): void {
  const full = path.join(folder, file);
  if (!isReleaseFile(file) || !existsSync(full)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': contentTypeOf(full), 'cache-control': 'no-store' });
  createReadStream(full).pipe(response);
}
