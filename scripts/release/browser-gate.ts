/**
 * The gate's last step: each route of a release in a real browser, in the composition that would be live, as a guest and signed in.
 * A small server of its own composes documents from the map that is not live yet; calls go to a running shop.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { composeDocument } from '@shop/document';
import {
  type Check,
  type GateContext,
  type GateStep,
  isReleaseFile,
  type ReleaseMap,
  type RouteContract,
  toPublicMap,
} from '@shop/release';

export interface BrowserGateOptions {
  /** The shop that answers the calls. */
  against: string;
  chromium: string;
  /** An account of that shop for the signed-in round; without one, only guests are checked. */
  account?: { phone: string; password: string };
  /** Where nothing may be left out: an account that cannot sign in is a failure. */
  strict?: boolean;
}

/** Pages that are open side by side; more only wait for each other on two cores. */
const AT_ONCE = 3;
const SETTLE_MS = 500;
const ROUTE_MS = 20_000;
const TYPES: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  json: 'application/json',
  webp: 'image/webp',
  avif: 'image/avif',
  png: 'image/png',
};

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

/** Without the way back: a release that does not load must not be hidden by the one before. */
function withoutFallbacks(live: ReleaseMap): ReleaseMap {
  const map = structuredClone(live);
  for (const [name, entries] of Object.entries(map.microFrontends)) {
    // A canary is what is being judged, so every visitor of the gate gets it.
    const [judged] = entries.filter(({ deployment }) => !deployment.default).concat(entries);
    if (!judged) continue;
    map.microFrontends[name] = [
      {
        ...judged,
        deployment: { traffic: 100, default: true },
        extras: { ...judged.extras, previous: null, fallback: null },
      },
    ];
  }
  return map;
}

async function serve({ store, map: live }: GateContext, against: string) {
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
    // What the gate's visitors meet is no news of real ones.
    if (pathname === '/api/health/report') return response.writeHead(204).end();
    if (request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')) {
      const page = composeDocument(map, { path: pathname });
      response.writeHead(200, page.headers);
      return response.end(page.html);
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

async function signIn({ against, account }: BrowserGateOptions): Promise<string | null> {
  if (!account) return null;
  const answer = await fetch(new URL('/api/front/app/login', against), {
    method: 'POST',
    headers: { 'content-type': 'application/json', locale: 'en' },
    body: JSON.stringify({ ...account, login_type: 'password' }),
  }).catch(() => null);
  const body = (await answer?.json().catch(() => null)) as { data?: { access_token?: string } } | null;
  return body?.data?.access_token ?? null;
}

const answers = async (url: string) =>
  (await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2_000) }).catch(() => null))?.ok ?? false;

/**
 * The step, or what it says when it cannot run: "skipped" on a desk, "failed" with RELEASE_GATE=strict, as in CI.
 * RELEASE_GATE_ACCOUNT is `phone:password`; by default the demo account of a seeded shop.
 */
export async function browserGateOrReason(
  against: string | null,
  env: NodeJS.ProcessEnv = process.env,
): Promise<GateStep> {
  const { findChromium } = await import('../setup/chromium.mjs');
  const strict = env.RELEASE_GATE === 'strict';
  const chromium = findChromium(env);
  let missing = '';
  if (!chromium) missing = 'no Chromium was found (set CHROME_PATH)';
  else if (!against) missing = 'no running shop is known (start one, or name it with --against)';
  else if (!(await answers(against))) missing = `no shop answers at ${against}`;
  if (chromium && against && !missing) {
    const [phone = '', password = ''] = (env.RELEASE_GATE_ACCOUNT ?? '13800000000:demo1234').split(':');
    return browserGate({ against, chromium, account: { phone, password }, strict });
  }
  const detail = strict ? `${missing}; or leave it out with --skip browser --why "…"` : missing;
  return { check: 'browser', run: async () => [{ check: 'browser', outcome: strict ? 'failed' : 'skipped', detail }] };
}

/** ':id' must be something; which one does not matter, because "not found" is a page too. */
const addressOf = (path: string) => path.replace(/:[^/]+\??/g, '1').replace(/\*$/, '');

export function browserGate(options: BrowserGateOptions): GateStep {
  return {
    check: 'browser',
    async run(context) {
      const { chromium } = require('playwright-core') as typeof import('playwright-core');
      const token = await signIn(options);
      const site = await serve(context, options.against);
      const browser = await chromium.launch({
        executablePath: options.chromium,
        args: ['--no-sandbox', '--disable-dev-shm-usage'],
      });
      const faults: string[] = [];
      const routes =
        context.manifest.kind === 'shell'
          ? Object.values(context.map.microFrontends).flatMap(([entry]) => entry?.extras.remote?.routes ?? [])
          : (context.manifest.remote?.routes ?? []);
      context.say?.(`opening ${routes.length} routes in a browser${token ? ', as a guest and signed in' : ''} …`);
      try {
        for (const visitor of token ? ['guest', 'signed in'] : ['guest']) {
          const session = await browser.newContext({ viewport: { width: 390, height: 844 } });
          if (visitor === 'signed in')
            await session.addInitScript(`localStorage.setItem('token', ${JSON.stringify(token)})`);
          const open = async (route: RouteContract) => {
            const where = `${route.path} (${visitor})`;
            const page = await session.newPage();
            const seen: string[] = [];
            page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
            page.on('console', (message) => {
              // A call that answers 404 is logged by the browser itself and is the API's business.
              const ofApi = /\/(api|uploads|media)\//.test(message.location().url);
              if (message.type() === 'error' && !ofApi) seen.push(`console: ${message.text()}`);
            });
            await page.addInitScript(() => {
              document.addEventListener('securitypolicyviolation', (event) =>
                console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
              );
            });
            try {
              await page.goto(site.origin + addressOf(route.path), { timeout: ROUTE_MS });
              // The skeleton is gone when the shell has drawn.
              await page.waitForFunction(
                () => !document.querySelector('#root > .boot') && document.querySelector('#root')?.childElementCount,
                undefined,
                { timeout: ROUTE_MS },
              );
              await page.waitForFunction(() => !document.querySelector('.shell-page-skeleton'), undefined, {
                timeout: ROUTE_MS,
              });
              await page.waitForTimeout(SETTLE_MS);
              if (await page.locator('.shell-page-failure').count()) seen.push('an error card');
              const copies = await page.evaluate(secondCopies);
              if (copies.length > 0) seen.push(`a second copy of ${copies.join(', ')}`);
            } catch (error) {
              seen.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
            }
            for (const fault of new Set(seen)) faults.push(`${where}: ${fault.slice(0, 200)}`);
            await page.close();
          };
          const mine = routes.filter((route) => visitor !== 'guest' || !route.flags?.requiresLogin);
          for (let next = 0; next < mine.length; next += AT_ONCE)
            await Promise.all(mine.slice(next, next + AT_ONCE).map(open));
          await session.close();
        }
      } finally {
        await browser.close();
        await site.close();
      }
      const rounds = token ? 'as a guest and signed in' : 'as a guest';
      const check: Check =
        faults.length > 0
          ? { check: 'browser', outcome: 'failed', detail: faults.join('; ') }
          : { check: 'browser', outcome: 'passed', detail: `${routes.length} routes ${rounds}` };
      if (token || !options.account) return [check];
      const detail = `the account ${options.account.phone} could not sign in at ${options.against} (RELEASE_GATE_ACCOUNT=phone:password)`;
      return [check, { check: 'signed in', outcome: options.strict ? 'failed' : 'skipped', detail }];
    },
  };
}

/** Runs in the page: shares that two different releases provide and that were both loaded. */
function secondCopies(): string[] {
  interface Share {
    from?: string;
    loaded?: boolean | number;
    lib?: unknown;
  }
  const scope =
    (
      globalThis as {
        __FEDERATION__?: { __SHARE__?: Record<string, Record<string, Record<string, Record<string, Share>>>> };
      }
    ).__FEDERATION__?.__SHARE__ ?? {};
  const providers = new Map<string, Set<string>>();
  for (const instance of Object.values(scope)) {
    for (const shares of Object.values(instance)) {
      for (const [share, versions] of Object.entries(shares)) {
        for (const [version, { from, loaded, lib }] of Object.entries(versions)) {
          if (!loaded && !lib) continue;
          const known = providers.get(share) ?? new Set();
          providers.set(share, known.add(`${version} of ${from ?? '?'}`));
        }
      }
    }
  }
  return [...providers]
    .filter(([, from]) => from.size > 1)
    .map(([share, from]) => `${share} (${[...from].join(', ')})`);
}
