/** The site that the browser gate opens: documents of a map that is not live yet, calls answered by a running shop. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { composeDocument } from '@shop/document';
import { type GateContext, isReleaseFile, type ReleaseMap, toPublicMap } from '@shop/release';

const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  json: 'application/json',
  webp: 'image/webp',
  avif: 'image/avif',
  png: 'image/png',
};

export interface GateSite {
  origin: string;
  close(): Promise<void>;
}

function forward(request: IncomingMessage, response: ServerResponse, against: string): void {
  const onward = http.request(
    new URL(request.url ?? '/', against),
    { method: request.method, headers: { ...request.headers, host: new URL(against).host } },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
}

/** Without fallbacks: they would hide a release that does not load. */
function withoutFallbacks(live: ReleaseMap): ReleaseMap {
  const map = structuredClone(live);
  for (const [name, entries] of Object.entries(map.microFrontends)) {
    // The canary is the release under test, so every visitor of the gate gets it.
    const [tested] = entries.filter(({ deployment }) => !deployment.default).concat(entries);
    if (!tested) continue;
    map.microFrontends[name] = [
      {
        ...tested,
        deployment: { traffic: 100, default: true },
        extras: { ...tested.extras, previous: null, fallback: null },
      },
    ];
  }
  return map;
}

export async function startGateSite({ store, map: live }: GateContext, against: string): Promise<GateSite> {
  const map = withoutFallbacks(live);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://gate');
    const [, name, version, file] = /^\/r\/([^/]+)\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
    if (name && version && file) {
      const content = isReleaseFile(file) ? await store.readFile(name, version, file) : null;
      if (!content) return response.writeHead(404).end();
      response.writeHead(200, {
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      });
      return response.end(content);
    }
    if (pathname.startsWith('/releases/')) {
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache' });
      return response.end(JSON.stringify(toPublicMap(map)));
    }
    // Reports of the gate's own visits must not count as real visitors'.
    if (pathname === '/api/health/report') return response.writeHead(204).end();
    if (request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')) {
      const document = composeDocument(map, { path: pathname });
      response.writeHead(200, document.headers);
      return response.end(document.html);
    }
    return forward(request, response, against);
  };
  const server = http.createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
