/**
 * `npm run dev -w mfe-catalog [-- --against http://localhost:8080] [--port 8090]`: serves the whole shop with one
 * workspace built on this machine and reloaded on every edit; everything else comes from the shop at --against. Without
 * --against it uses the shop on port 8080, and starts one if none runs. The CSP is as strict as in production.
 * A shop whose certificate no public authority signed is trusted by NODE_EXTRA_CA_CERTS=<file>.
 */
import { fork, spawn } from 'node:child_process';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { composeDocument, describeSite } from '@platform/pages';
import { contentTypeOf, type MapEntry, type ReleaseMap } from '@platform/releases';
import { SITE } from '@shop/shared/site';
import { directoryOf, presentNames, project, releaseName } from './project';
import { readOptions } from './setup/options.mjs';

describeSite(SITE);
const { root } = project;
const usage = 'npm run dev -w mfe-catalog [-- --against https://shop.example] [--port 8090]';
const { values, positionals } = readOptions(usage, {
  allowPositionals: true,
  options: { against: { type: 'string' }, port: { type: 'string' } },
});

interface DevBuild {
  build: number;
  version: string;
  files: Record<string, { size: number; integrity: string }>;
  exposes: Record<string, { js: string[]; css: string[] }>;
  initial: { js: string[]; css: string[] };
  milliseconds: number;
}

/** A file, because the CSP forbids inline scripts. */
const reloadClient = `new EventSource('/__dev/events').onmessage = () => location.reload();\n`;

async function main(): Promise<void> {
  const given = positionals[0] ?? (project.isCheckout ? undefined : presentNames()[0]);
  if (!given) return console.log(usage);
  const name = releaseName(given);
  const against = new URL(await reachableShop(values.against));
  const directory = directoryOf(name);
  const output = path.join(root, 'node_modules', '.cache', 'shop-dev', name);
  const listeners = new Set<ServerResponse>();
  let current: DevBuild | null = null;

  const compiler = fork(
    require.resolve('@platform/build/dev-compile'),
    [path.resolve(__dirname, '..', 'rspack.base.js'), name, directory, output],
    {
      execArgv: [],
    },
  );
  compiler.on('message', (message: DevBuild | { error: string }) => {
    if ('error' in message) {
      console.error(message.error);
      return;
    }
    console.log(`${current ? 'rebuilt' : 'built'} ${name} in ${message.milliseconds} ms`);
    current = message;
    for (const listener of listeners) listener.write('data: built\n\n');
  });

  const devMap = async (): Promise<ReleaseMap> => {
    const map = (await (await fetch(new URL('/releases/production.json', against))).json()) as ReleaseMap;
    if (current) map.microFrontends[name] = [devEntry(name, directory, current, map.microFrontends[name]?.[0])];
    return map;
  };

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const fail = (error: unknown) => {
      response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`${against.origin} did not answer: ${error instanceof Error ? error.message : error}\n`);
    };
    if (url.pathname === '/__dev/events') return listen(response, listeners);
    if (url.pathname === '/__dev/client.js') return send(response, 'text/javascript', reloadClient);
    if (current && url.pathname.startsWith(`/r/${name}/${current.version}/`)) {
      return sendFile(response, output, url.pathname.slice(`/r/${name}/${current.version}/`.length));
    }
    if (url.pathname.startsWith('/releases/')) {
      devMap().then((map) => send(response, 'application/json', JSON.stringify(map)), fail);
      return;
    }
    if (isPage(request, url)) {
      devMap().then((map) => {
        const page = composeDocument(map, { path: url.pathname });
        const html = page.html.replace('</head>', '<script defer src="/__dev/client.js"></script>\n</head>');
        response.writeHead(200, { ...page.headers, 'cache-control': 'no-store' });
        response.end(html);
      }, fail);
      return;
    }
    proxy(request, response, against, fail);
  });
  const port = Number(values.port ?? 8090);
  server.on('error', (error: NodeJS.ErrnoException) => {
    console.error(error.code === 'EADDRINUSE' ? `Port ${port} is taken; choose another with --port.` : error.message);
    process.exit(1);
  });
  server.listen(port, () => {
    const address = server.address();
    const actual = typeof address === 'object' && address ? address.port : port;
    console.log(`Dev ready: http://localhost:${actual} (${name} from this machine, the rest from ${against.origin})`);
  });
  const end = () => {
    compiler.kill();
    process.exit(0);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

/** The release map's entry for the local build, which is in no store. */
function devEntry(name: string, directory: string, build: DevBuild, live: MapEntry | undefined): MapEntry {
  const base = `/r/${name}/${build.version}/`;
  const contractFile = path.join(directory, 'remote.json');
  const entry = name === 'shell' ? (build.initial.js.at(-1) ?? 'main.js') : 'remoteEntry.js';
  return {
    url: base + entry,
    metadata: { version: build.version, integrity: build.files[entry]?.integrity ?? '' },
    deployment: { traffic: 100, default: true },
    extras: {
      previous: null,
      fallback: null,
      base,
      entry,
      initial: name === 'shell' ? build.initial : { js: [entry], css: [] },
      // No preloads: a development build's chunks carry no integrity, and a preload must agree with its request.
      exposes: Object.fromEntries(Object.keys(build.exposes).map((page) => [page, { js: [], css: [] }])),
      integrity: Object.fromEntries(Object.entries(build.files).map(([file, { integrity }]) => [file, integrity])),
      singletons: live?.extras.singletons ?? { provides: {}, needs: {} },
      runtime: live?.extras.runtime ?? '',
      ...(existsSync(contractFile) ? { remote: JSON.parse(readFileSync(contractFile, 'utf8')) } : {}),
    },
  };
}

function isPage(request: IncomingMessage, url: URL): boolean {
  const asksForHtml = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
  return asksForHtml && !/^\/(api|r|dev|cashier|uploads|media|ops|staff|docs|healthz|livez)(\/|$)/.test(url.pathname);
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
  const full = path.join(folder, decodeURIComponent(file));
  if (!full.startsWith(folder + path.sep) || !existsSync(full)) {
    response.writeHead(404).end();
    return;
  }
  const type = contentTypeOf(full);
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
  createReadStream(full).pipe(response);
}

function proxy(request: IncomingMessage, response: ServerResponse, against: URL, fail: (error: unknown) => void): void {
  const { request: send } = against.protocol === 'https:' ? https : http;
  const onward = send(
    against,
    { path: request.url, method: request.method, headers: { ...request.headers, host: against.host } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', fail);
  request.pipe(onward);
}

async function reachableShop(given: string | undefined): Promise<string> {
  const address = given ?? 'http://localhost:8080';
  let reason = '';
  const answers = async () => {
    try {
      const { ok, status } = await fetch(new URL('/healthz', address));
      reason = `/healthz answered ${status}`;
      return ok;
    } catch (error) {
      const { cause = error } = error as { cause?: unknown };
      reason = cause instanceof Error ? cause.message : String(cause);
      return false;
    }
  };
  if (await answers()) return address;
  if (given) {
    throw new Error(`No shop answers at ${given} (${reason}). Start one with "npm start", or leave --against out.`);
  }
  if (!project.isCheckout) throw new Error('No shop answers on port 8080: name one with --against https://…');
  console.log('Starting a shop on port 8080 …');
  const shop = spawn(process.execPath, ['scripts/start.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  process.on('exit', () => shop.kill());
  for (let waited = 0; waited < 120_000; waited += 250) {
    if (await answers()) return address;
    if (shop.exitCode !== null) throw new Error('The shop did not start; see above.');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('The shop did not start within two minutes.');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
