import { browserScript } from '@platform/build/browser-script';
import { type Account, type BrowserGateOptions, browserGate, PAGE_PROBE } from '@platform/gate';
import { gateDocuments } from '@platform/pages/gate-documents';
import type { GateStep } from '@platform/releases';
import { SITE } from '@shop/shared/site';

/** The coupon prompt would cover the page, so a flow could not click on it. */
const NO_COUPON = JSON.stringify({ code: 200, message: 'OK', data: null, request_id: 'gate' });

interface ShopperAccount {
  phone: string;
  password: string;
}

/** The account of a shop with demo data (server/src/seed/seed.ts). */
const DEMO_ACCOUNT = '13800000000:demo1234';

/**
 * RELEASE_GATE_ACCOUNT is `phone:password`. Without it, a shop on this machine gets the demo account; any other shop gets no
 * credentials and is visited as a guest only.
 */
export function gateAccount(shop: string, { RELEASE_GATE_ACCOUNT }: NodeJS.ProcessEnv): ShopperAccount | undefined {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(shop).hostname);
  const credentials = RELEASE_GATE_ACCOUNT || (isHere ? DEMO_ACCOUNT : '');
  const [, phone = '', password = ''] = /^([^:]*):(.*)$/.exec(credentials) ?? [];
  return phone ? { phone, password } : undefined;
}

async function call<Data>(url: URL, init: RequestInit): Promise<Data> {
  const response = await fetch(url, init);
  const { code, message, data } = (await response.json()) as { code: number; message: string; data: Data | null };
  if (code !== 200 || !data) throw new Error(`${url.pathname} answered ${code} ${message}`);
  return data;
}

/** Signs in like the application; a shopper without a nickname is shown by the masked phone. */
export const accountOf = ({ phone, password }: ShopperAccount): Account => ({
  label: `${phone} (RELEASE_GATE_ACCOUNT)`,
  page: '/user',
  async signIn(origin) {
    const answer = await call<{ token_type?: string; access_token?: string }>(new URL('/api/front/app/login', origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json', locale: 'en' },
      body: JSON.stringify({ phone, password, login_type: 'password', verify: '' }),
    });
    if (!answer.access_token) throw new Error('the sign-in returned no token');
    const token = `${answer.token_type || 'Bearer'} ${answer.access_token}`;
    const user = await call<{ nickname?: string; phone?: string }>(new URL('/api/front/user/info', origin), {
      headers: { authorization: token, locale: 'en' },
    });
    const masked = (user.phone ?? phone).replace(/^(\d{3})\d{4}(?=\d{4}$)/, '$1****');
    return { token, name: user.nickname || masked };
  },
});

export const shopGate = (options: Omit<BrowserGateOptions, 'documents' | 'answers' | 'probe'>): GateStep =>
  browserGate({
    ...options,
    documents: (context) => gateDocuments(context, SITE, options.against),
    answers: { '/api/front/coupon/check': NO_COUPON },
    probe: browserScript(PAGE_PROBE),
  });

const isUp = (address: string): Promise<boolean> =>
  fetch(new URL('/healthz', address), { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

export const isRoot = () => process.getuid?.() === 0;

/**
 * The browser step, or a step with the reason why it cannot run: "skipped" on a developer's machine, "failed" if the check is
 * required (`strict`), as in CI by RELEASE_GATE=strict.
 */
export async function browserGateOrReason(
  against: string | null,
  env: NodeJS.ProcessEnv = process.env,
  { strict = env.RELEASE_GATE === 'strict', hint = '--skip browser --why "…"' } = {},
): Promise<GateStep> {
  const { findProgram } = await import('../setup/programs.mjs');
  const chromium = findProgram('chromium', env);
  let missing = '';
  if (!chromium) missing = 'no Chromium was found (set CHROME_PATH)';
  else if (!against) missing = 'no running shop is known (start one, or name it with --against)';
  else if (!(await isUp(against))) missing = `no shop answers at ${against}`;
  else if (isRoot() && env.GATE_SANDBOX !== 'off')
    missing = 'Chromium has no sandbox as root (use another user, or set GATE_SANDBOX=off to run it without)';
  if (chromium && against && !missing) {
    const account = gateAccount(against, env);
    const sandbox = env.GATE_SANDBOX !== 'off';
    return shopGate({ against, chromium, sandbox, account: account && accountOf(account) });
  }
  const detail = strict ? `${missing}; or leave it out with ${hint}` : missing;
  return { check: 'browser', run: async () => [{ check: 'browser', outcome: strict ? 'failed' : 'skipped', detail }] };
}
