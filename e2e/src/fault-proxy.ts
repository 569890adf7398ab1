/**
 * A proxy in front of the shop for one test. It composes documents and the release map from a map that the test controls,
 * forwards everything else to the shop over real sockets, and injects faults.
 */
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { HealthEvent } from '@platform/host/health';
import { composeDocument } from '@platform/pages';
import { cookieOf } from '@platform/pages/cookies';
import { emptyMap, promoteInMap, type ReleaseManifest, rollbackInMap, toPublicMap } from '@platform/releases';
import type { ReleaseVariant } from '@platform/releases/testing/release-variant';
import { expect, type Page } from '@playwright/test';
import { SITE } from '@shop/shared/site';
import { loadsFinished } from './navigation';

export type Fault = '404' | 'hang' | 'tampered' | 'down';

export type FaultProxy = Awaited<ReturnType<typeof openFaultProxy>>;

const tamperedScript = 'document.documentElement.dataset.tampered="script";';
const tamperedStyle = '\n:root{--tampered:yes}';

export async function openFaultProxy(shopUrl: string, manifests: readonly ReleaseManifest[]) {
  const live = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  let map = emptyMap();
  for (const manifest of manifests) map = promoteInMap(map, manifest, null, { by: 'a test' });
  const hanging: Array<{ pathname: string; response: ServerResponse }> = [];
  const broken: Array<{ prefix: string | RegExp; fault: Fault }> = [];
  const requests: string[] = [];
  const reports: HealthEvent[] = [];
  const served = new Map<string, Buffer>();

  const faultOf = (pathname: string) =>
    broken.find(({ prefix }) => (typeof prefix === 'string' ? pathname.startsWith(prefix) : prefix.test(pathname)))
      ?.fault;

  function forward(request: IncomingMessage, response: ServerResponse): void {
    const headers = { ...request.headers, host: new URL(shopUrl).host };
    const onward = http.request(new URL(request.url ?? '/', shopUrl), { method: request.method, headers }, (answer) => {
      // An upstream response that breaks off breaks off here too.
      answer.on('error', () => response.destroy());
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '/' } = request;
    const { pathname, search } = new URL(url, 'http://proxy');
    requests.push(pathname + search);
    const sendJson = (body: object, headers: http.OutgoingHttpHeaders = {}) =>
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    const fault = faultOf(pathname);
    if (fault === 'hang') {
      hanging.push({ pathname, response });
      return;
    }
    if (fault === 'down') {
      response.destroy();
      return;
    }
    if (fault === '404') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('broken on purpose');
      return;
    }
    const file = served.get(pathname);
    if (file) {
      const isStyle = pathname.endsWith('.css');
      response.writeHead(200, {
        'content-type': isStyle ? 'text/css' : 'text/javascript',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      const tampered = () => (isStyle ? file + tamperedStyle : tamperedScript + file);
      response.end(fault === 'tampered' ? tampered() : file);
      return;
    }
    if (pathname === '/releases/production.json') {
      sendJson(toPublicMap(map), { 'cache-control': 'no-cache', etag: `"${map.rev}"` });
      return;
    }
    if (pathname === '/api/health/report') {
      json(request).then(
        (body) => {
          reports.push(...(body as { events: HealthEvent[] }).events);
          response.writeHead(204).end();
        },
        // The tab was closed while it sent the report.
        () => response.destroy(),
      );
      return;
    }
    if (pathname === '/api/front/coupon/check') {
      sendJson({ code: 200, message: 'OK', data: null, request_id: 'e2e' });
      return;
    }
    // Without its own releases it forwards documents.
    if (map.microFrontends.shell && request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')) {
      const visitor = cookieOf(request, 'visitor');
      const page = composeDocument(map, { site: SITE, path: pathname, visitor: visitor ? Number(visitor) : null });
      const { headers, html } = page.write();
      response.writeHead(page.status, headers).end(html);
      return;
    }
    forward(request, response);
  }

  const server = http.createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Makes a release live; the previous live one becomes its fallback. */
    goLive(manifest: ReleaseManifest): void {
      map = promoteInMap(map, manifest, live.get(manifest.name) ?? null, { by: 'a test' });
      live.set(manifest.name, manifest);
    },
    /** Makes an earlier release live again, without a fallback. */
    rollBack(manifest: ReleaseManifest): void {
      map = rollbackInMap(map, manifest, null, { by: 'a test' });
    },
    serve({ manifest, files }: ReleaseVariant): void {
      for (const [file, content] of files) served.set(`/r/${manifest.name}/${manifest.version}/${file}`, content);
    },
    /**
     * Injects a fault into every path with this prefix from now on; only served files can be tampered with. null removes it and ends
     * its hanging requests.
     */
    breakPath(prefix: string | RegExp, fault: Fault | null): void {
      const index = broken.findIndex((fault) => String(fault.prefix) === String(prefix));
      if (index >= 0) broken.splice(index, 1);
      if (fault) broken.unshift({ prefix, fault });
      // Behaves like a proxy whose upstream has come back: waiting requests end.
      for (const { pathname, response } of hanging) if (faultOf(pathname) !== 'hang') response.destroy();
    },
    requests,
    reports,
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Advances the page's installed clock by a minute; the work that its timers start takes real time. */
export async function advanceAMinute(page: Page, { requests }: FaultProxy): Promise<void> {
  const mapRequests = () => requests.filter((path) => path.startsWith('/releases/')).length;
  const before = mapRequests();
  for (let step = 0; step < 6; step += 1) {
    await loadsFinished(page);
    await page.clock.fastForward(10_000);
  }
  await expect.poll(mapRequests, 'requests of the release map').toBeGreaterThan(before);
}

/** Sends the queued health reports, as when the page is left; otherwise they would wait for two seconds. */
export const flushReports = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event('pagehide')));
