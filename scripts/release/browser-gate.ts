/**
 * The gate's last step: opens each route of a release in a real browser, with the map that would be live, as a guest and signed
 * in.
 */
import type { Check, GateStep, RouteContract } from '@shop/release';
import { startGateSite } from './gate-site';

export interface BrowserGateOptions {
  /** The running shop that answers the calls. */
  against: string;
  chromium: string;
  /** An account of that shop for the signed-in round; without one, only guests are checked. */
  account?: { phone: string; password: string };
  /** An account that cannot sign in is a failure. */
  strict?: boolean;
}

/** Pages open at the same time; more would only wait for each other on two cores. */
const AT_ONCE = 3;
/** Time for late errors after the page is drawn. */
const SETTLE_MS = 500;
const ROUTE_MS = 20_000;

async function signIn({ against, account }: BrowserGateOptions): Promise<string | null> {
  if (!account) return null;
  const response = await fetch(new URL('/api/front/app/login', against), {
    method: 'POST',
    headers: { 'content-type': 'application/json', locale: 'en' },
    body: JSON.stringify({ ...account, login_type: 'password' }),
  }).catch(() => null);
  const body = (await response?.json().catch(() => null)) as { data?: { access_token?: string } } | null;
  return body?.data?.access_token ?? null;
}

const isUp = async (url: string) =>
  (await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2_000) }).catch(() => null))?.ok ?? false;

/**
 * The browser step, or a step that says why it cannot run: "skipped" on a developer's machine, "failed" with
 * RELEASE_GATE=strict, as in CI. RELEASE_GATE_ACCOUNT is `phone:password`; by default the demo account of a seeded shop.
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
  else if (!(await isUp(against))) missing = `no shop answers at ${against}`;
  if (chromium && against && !missing) {
    const [phone = '', password = ''] = (env.RELEASE_GATE_ACCOUNT ?? '13800000000:demo1234').split(':');
    return browserGate({ against, chromium, account: { phone, password }, strict });
  }
  const detail = strict ? `${missing}; or leave it out with --skip browser --why "…"` : missing;
  return { check: 'browser', run: async () => [{ check: 'browser', outcome: strict ? 'failed' : 'skipped', detail }] };
}

/** Any value for ':id' will do, because "not found" is a page too. */
const addressOf = (path: string) => path.replace(/:[^/]+\??/g, '1').replace(/\*$/, '');

export function browserGate(options: BrowserGateOptions): GateStep {
  return {
    check: 'browser',
    async run(context) {
      const { chromium } = require('playwright-core') as typeof import('playwright-core');
      const token = await signIn(options);
      const site = await startGateSite(context, options.against);
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
