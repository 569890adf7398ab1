/**
 * Serves a running site with one workspace built on this machine and reloaded on every edit; everything else comes from the running
 * site. The CSP is as strict as there.
 */
import { fork } from 'node:child_process';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  contentTypeOf,
  forward,
  isReleaseFile,
  type MapEntry,
  matchRoute,
  type ReleaseMap,
  SHELL,
} from '@platform/releases';
import type { Product } from './build-release';

interface DevBuild {
  version: string;
  files: Record<string, { size: number; integrity: string }>;
  exposes: Record<string, { js: string[]; css: string[] }>;
  initial: { js: string[]; css: string[] };
  milliseconds: number;
}

export interface DevServerOptions {
  product: Product;
  name: string;
  /** Absolute: the workspace's folder. */
  directory: string;
  /** The running site. */
  against: URL;
  /** 0 for any that is free. */
  port: number;
  /** The document of an address, with a map that has the workspace's build. */
  documentOf(map: ReleaseMap, page: { path: string }): { headers: Record<string, string>; html: string };
  /** Patterns of the addresses that the site's server answers itself. */
  serverRoutes: readonly string[];
  /** Gets a line for each build, and what is wrong with one. */
  console: Pick<Console, 'log' | 'error'>;
}

export interface DevServer {
  origin: string;
  close(): void;
}

/** A file, because the CSP forbids inline scripts. */
const RELOAD_CLIENT = `new EventSource('/__dev/events').onmessage = () => location.reload();\n`;

/** Resolves when it listens; until the first build is done the running site's release is served. Rejects when the port is taken. */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { product, name, directory, against, documentOf, console } = options;
  const output = path.join(product.root, 'node_modules', '.cache', 'platform-dev', name);
  const serverRoutes = options.serverRoutes.map((route) => ({ path: route }));
  const listeners = new Set<ServerResponse>();
  let current: DevBuild | null = null;

  const devMap = async (): Promise<ReleaseMap> => {
    const map = (await (await fetch(new URL('/releases/production.json', against))).json()) as ReleaseMap;
    if (current) map.microFrontends[name] = [devEntry(name, directory, current, map.microFrontends[name]?.[0])];
    return map;
  };
  const isPage = (request: IncomingMessage, pathname: string): boolean => {
    const asksForHtml = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    return asksForHtml && matchRoute(serverRoutes, pathname) === null;
  };

  const server = http.createServer((request, response) => {
    // Not by URL, which takes '//elsewhere.example/x' for another host and throws for some.
    const [pathname = '/'] = (request.url ?? '/').split('?', 1);
    const fail = (error: unknown) => {
      response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`${against.origin} did not answer: ${error instanceof Error ? error.message : error}\n`);
    };
    if (pathname === '/__dev/events') return listen(response, listeners);
    if (pathname === '/__dev/client.js') return send(response, 'text/javascript', RELOAD_CLIENT);
    const base = `/r/${name}/${current?.version}/`;
    if (current && pathname.startsWith(base)) return sendFile(response, output, pathname.slice(base.length));
    if (pathname.startsWith('/releases/')) {
      devMap().then((map) => send(response, 'application/json', JSON.stringify(map)), fail);
      return;
    }
    if (isPage(request, pathname)) {
      devMap().then((map) => {
        const page = documentOf(map, { path: pathname });
        const html = page.html.replace('</head>', '<script defer src="/__dev/client.js"></script>\n</head>');
        response.writeHead(200, { ...page.headers, 'cache-control': 'no-store' });
        response.end(html);
      }, fail);
      return;
    }
    forward(request, response, against, fail);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, resolve);
  });

  // A process of its own: compile.cjs says why.
  const compiler = fork(path.join(__dirname, 'dev-compile.cjs'), [product.recipe, name, directory, output], {
    execArgv: [],
  });
  compiler.on('message', (message: DevBuild | { error: string }) => {
    if ('error' in message) return console.error(message.error);
    console.log(`${current ? 'rebuilt' : 'built'} ${name} in ${message.milliseconds} ms`);
    current = message;
    for (const listener of listeners) listener.write('data: built\n\n');
  });
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      compiler.kill();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The release map's entry for the local build, which is in no store. */
function devEntry(name: string, directory: string, build: DevBuild, live: MapEntry | undefined): MapEntry {
  const base = `/r/${name}/${build.version}/`;
  const contractFile = path.join(directory, 'remote.json');
  const entry = name === SHELL ? (build.initial.js.at(-1) ?? 'main.js') : 'remoteEntry.js';
  return {
    url: base + entry,
    metadata: { version: build.version, integrity: build.files[entry]?.integrity ?? '' },
    deployment: { traffic: 100, default: true },
    extras: {
      previous: null,
      fallback: null,
      base,
      entry,
      initial: name === SHELL ? build.initial : { js: [entry], css: [] },
      // No preloads: a development build's chunks carry no integrity, and a preload must agree with its request.
      exposes: Object.fromEntries(Object.keys(build.exposes).map((page) => [page, { js: [], css: [] }])),
      integrity: Object.fromEntries(Object.entries(build.files).map(([file, { integrity }]) => [file, integrity])),
      singletons: live?.extras.singletons ?? { provides: {}, needs: {} },
      runtime: live?.extras.runtime ?? '',
      ...(existsSync(contractFile) ? { remote: JSON.parse(readFileSync(contractFile, 'utf8')) } : {}),
    },
  };
}

function listen(response: ServerResponse, listeners: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(':\n\n');
  listeners.add(response);
  response.on('close', () => listeners.delete(response));
}

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
