import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  canaryEntry,
  contentTypeOf,
  forward,
  type GateContext,
  isReleaseFile,
  type ReleaseMap,
  toPublicMap,
} from '@platform/releases';

/** Milliseconds to wait for the running site's first answer. */
const ANSWER_MS = 30_000;
/** A visit with this header waits for this number of milliseconds before each API answer. */
export const DELAY_HEADER = 'x-gate-delay';
/** A visit with this header gets documents with server-rendered pages. */
export const RENDERED_HEADER = 'x-gate-rendered';
/** This header of a document says why the page could not be rendered: the fault as JSON, URI-encoded. */
export const FAULT_HEADER = 'x-gate-fault';
/** A visit with this header changes nothing on the running site. */
export const READ_ONLY_HEADER = 'x-gate-read-only';

export interface DocumentRequest {
  path: string;
  language: 'zh-CN' | 'en';
  dark: boolean;
  /** Whether the document contains the rendered page; otherwise it contains a skeleton. */
  isRendered: boolean;
  pictureOrigins: readonly string[];
}

export interface GateDocument {
  headers: Record<string, string>;
  html: string;
  /** Why the server did not render the page. `isCertain`: a busy machine cannot be the cause. */
  fault?: { what: string; isCertain: boolean };
}

export interface GateDocuments {
  documentOf(request: DocumentRequest): GateDocument | Promise<GateDocument>;
  close(): Promise<void>;
}

export interface GateSiteOptions {
  against: string;
  /** The documents of the map of `context`. */
  documents(context: GateContext): GateDocuments;
  /** JSON by path for calls that are not forwarded, because a banner or dialog over the page would block a flow. */
  answers?: Readonly<Record<string, string>>;
}

export type GateSite = Awaited<ReturnType<typeof startGateSite>>;

/** The image and media sources of the running site's Content-Security-Policy: a release is tested under the same policy. */
async function pictureOriginsOf(against: URL): Promise<string[]> {
  const init = { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(ANSWER_MS) };
  const answer = await fetch(new URL('/404', against), init).catch((error: unknown) => {
    throw new Error(`${against.origin} does not answer`, { cause: error });
  });
  await answer.body?.cancel();
  const policy = answer.headers.get('content-security-policy') ?? '';
  const sources = /(?:^|;)\s*media-src ([^;]*)/.exec(policy)?.[1] ?? '';
  return sources.split(' ').filter((source) => URL.canParse(source));
}

/** Fallbacks would hide a release that does not load. */
function withoutFallbacks(live: ReleaseMap): ReleaseMap {
  const map = structuredClone(live);
  for (const [name, entries] of Object.entries(map.microFrontends)) {
    // The canary is the release under test, so every visitor of the gate gets it.
    const tested = canaryEntry(map, name) ?? entries[0];
    if (!tested) continue;
    const extras = { ...tested.extras, fallback: null };
    map.microFrontends[name] = [{ ...tested, deployment: { traffic: 100, default: true }, extras }];
  }
  return map;
}

const cookieOf = (request: IncomingMessage, name: string) =>
  new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1];

export async function startGateSite(context: GateContext, { against, documents, answers = {} }: GateSiteOptions) {
  const { store } = context;
  const map = withoutFallbacks(context.map);
  const running = new URL(against);
  const pictureOrigins = await pictureOriginsOf(running);
  const { documentOf, close } = documents({ ...context, map });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gate');
    const [, name, version, file] = /^\/r\/([^/]+)\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
    if (name && version && file) {
      const content = isReleaseFile(file) ? await store.readFile(name, version, file) : null;
      if (!content) return response.writeHead(404).end();
      const headers = { 'cache-control': 'public, max-age=31536000, immutable', 'content-type': contentTypeOf(file) };
      return response.writeHead(200, headers).end(content);
    }
    if (pathname.startsWith('/releases/')) {
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' };
      return response.writeHead(200, headers).end(JSON.stringify(toPublicMap(map)));
    }
    // Reports of the gate's own visits must not count as real visitors'.
    if (pathname === '/api/health/report') return response.writeHead(204).end();
    if (Object.hasOwn(answers, pathname))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(answers[pathname]);
    if (request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')) {
      const { headers, html, fault } = await documentOf({
        path: pathname,
        language: cookieOf(request, 'language') === 'en' ? 'en' : 'zh-CN',
        dark: cookieOf(request, 'theme') === 'dark',
        isRendered: RENDERED_HEADER in request.headers,
        pictureOrigins,
      });
      const reported = fault && { [FAULT_HEADER]: encodeURIComponent(JSON.stringify(fault)) };
      return response.writeHead(200, { ...headers, ...reported }).end(html);
    }
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '');
    if (!isRead && request.headers[READ_ONLY_HEADER]) return request.destroy();
    const delay = Number(request.headers[DELAY_HEADER]) || 0;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    if (response.destroyed) return;
    delete request.headers[DELAY_HEADER];
    delete request.headers[RENDERED_HEADER];
    delete request.headers[READ_ONLY_HEADER];
    return forward(request, response, running, () => response.writeHead(502).end());
  };
  const server = http.createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    pictureOrigins,
    async close(): Promise<void> {
      await close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
