/**
 * Serves the workshop: every page and part of workspaces in the states that their tests draw (docs/adr/0081-states-from-tests.md). It is
 * built apart, and no part of a release.
 */
import { fork } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync } from 'node:fs';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentTypeOf, isReleaseFile } from '@platform/releases';
import { SITE } from '@shop/shared/site';

export interface WorkshopOptions {
  /** The product's recipe of the bundler. */
  recipe: string;
  /** Absolute: the workspaces' folders. */
  directories: string[];
  /** 0 for any that is free. */
  port: number;
  console: Pick<Console, 'log' | 'error'>;
}

export interface WorkshopServer {
  origin: string;
  close(): void;
}

type Built = { hash: string; milliseconds: number } | { faults: string[] };

/** As strict as that of the shop's documents, but for the frames. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "connect-src 'self'", "frame-src 'self'"],
  ...["frame-ancestors 'self'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'"],
  `trusted-types ${['releases', ...SITE.trustedTypes].join(' ')} 'allow-duplicates'`,
].join('; ');

const document = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Workshop</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/workshop.css"><script defer src="/workshop.js"></script></head><body></body></html>`;

/** Pictures of products come from a shop, of which there is none. */
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#8b86a8" d="M0 0h8v8H0z"/><path fill="#a8a3c2" d="m0 8 8-8v8z"/></svg>';

export async function serveWorkshop({ recipe, directories, port, console }: WorkshopOptions): Promise<WorkshopServer> {
  const output = mkdtempSync(path.join(tmpdir(), 'workshop-'));
  const pages = new Set<ServerResponse>();
  let built: Built | undefined;
  /** Of the last build that was whole, whose files are there. */
  let whole = '';
  let isBuilt = () => {};
  const firstBuild = new Promise<void>((resolve) => {
    isBuilt = resolve;
  });
  const sendPage = (response: ServerResponse) =>
    built && 'faults' in built && !whole
      ? send(response, 'text/plain', built.faults.join('\n\n'))
      : send(response, 'text/html', document);
  const tell = (page: ServerResponse) => built && page.write(`data: ${JSON.stringify(built)}\n\n`);

  const server = http.createServer((request, response) => {
    const [pathname = '/'] = (request.url ?? '/').split('?', 1);
    const file = pathname.slice(1);
    if (pathname === '/') return void firstBuild.then(() => sendPage(response));
    if (pathname === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write('\n');
      pages.add(response.on('close', () => pages.delete(response)));
      return tell(response);
    }
    const full = path.join(output, file);
    if (isReleaseFile(file) && existsSync(full)) return sendBuilt(response, full, request.headers['if-none-match']);
    if (request.headers['sec-fetch-dest'] === 'image') return send(response, 'image/svg+xml', picture);
    response.writeHead(404).end();
  });
  /** Frames ask for the same files: a browser keeps them, compiled, until the next build. */
  const sendBuilt = (response: ServerResponse, full: string, known: string | undefined) => {
    const etag = `"${whole}"`;
    const headers = { 'content-type': contentTypeOf(full), 'cache-control': 'no-cache', etag };
    response.writeHead(known === etag ? 304 : 200, headers);
    if (known === etag) response.end();
    else createReadStream(full).pipe(response);
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, resolve);
  });

  const compiler = fork(path.join(__dirname, 'compile.cjs'), [recipe, output, ...directories], { execArgv: [] });
  compiler.on('message', (message: Built) => {
    if ('faults' in message) for (const fault of message.faults) console.error(fault);
    else {
      console.log(`built the workshop in ${message.milliseconds} ms`);
      whole = message.hash;
    }
    built = message;
    isBuilt();
    for (const page of pages) tell(page);
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

function send(response: ServerResponse, type: string, body: string): void {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' };
  response.writeHead(200, { ...headers, 'content-security-policy': policy });
  response.end(body);
}
