/**
 * The gate's last step: opens each route of a release in a real browser, with the map that would be live, under the settings of
 * gate/rounds.ts, and runs the release's flows.
 */
import {
  type Check,
  type GateContext,
  type GateStep,
  kindOf,
  type ReleaseKind,
  type RouteContract,
} from '@shop/release';
import type { Browser } from 'playwright-core';
import { launchBrowsers, openRounds, type Rounds } from './gate/browsers';
import { type Fault, toChecks, type Visited } from './gate/faults';
import { gateAccount } from './gate/gate-account';
import { type ReleaseSource, releaseSource } from './gate/release-source';
import { ROUNDS, type Round } from './gate/rounds';
import { runFlow } from './gate/run-flow';
import { type Account, proveSignedIn, type Shopper, signIn } from './gate/sign-in';
import { addressOf, READY_MS, type Visit, visit } from './gate/visit';
import { type GateSite, requestTo, startGateSite } from './gate-site';

export interface BrowserGateOptions {
  /** The running shop that answers the calls. */
  against: string;
  chromium: string;
  /** An account of that shop for the rounds that are signed in; without one, only guests are checked. */
  account?: Account;
  /** How long a page may take to be ready, in milliseconds. */
  readyMs?: number;
  /** How long the shopper's own page, the first one, may take to show the name, in milliseconds. */
  nameMs?: number;
  /** Browsers to use, which stay open; by default it starts its own. */
  browsers?: readonly Browser[];
}

/** Visits that are repeated alone, because a busy machine could have caused what they found. */
const MAX_REPEATS = 6;
const NAME_MS = 10_000;
/** Of five rounds, for each route of the shell, which has the routes of all remotes. */
const SHELL_ROUNDS = 2;

function isUp(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = requestTo(new URL('/healthz', url), { timeout: 2_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
    request.end();
  });
}

export interface Requirement {
  /** A check that cannot run is a failure, not a note. Default: RELEASE_GATE=strict, as in CI. */
  strict?: boolean;
  /** How to leave it out. */
  hint?: string;
}

/**
 * The browser step, or a step that says why it cannot run: "skipped" on a developer's machine, "failed" where it is required.
 */
export async function browserGateOrReason(
  against: string | null,
  env: NodeJS.ProcessEnv = process.env,
  { strict = env.RELEASE_GATE === 'strict', hint = '--skip browser --why "…"' }: Requirement = {},
): Promise<GateStep> {
  const { findChromium } = await import('../setup/chromium.mjs');
  const chromium = findChromium(env);
  let missing = '';
  if (!chromium) missing = 'no Chromium was found (set CHROME_PATH)';
  else if (!against) missing = 'no running shop is known (start one, or name it with --against)';
  else if (!(await isUp(against))) missing = `no shop answers at ${against}`;
  if (chromium && against && !missing) {
    return browserGate({ against, chromium, account: gateAccount(against, env) });
  }
  const detail = strict ? `${missing}; or leave it out with ${hint}` : missing;
  return { check: 'browser', run: async () => [{ check: 'browser', outcome: strict ? 'failed' : 'skipped', detail }] };
}

export function browserGate(options: BrowserGateOptions): GateStep {
  return { check: 'browser', run: (context) => runBrowserGate(context, options) };
}

async function runBrowserGate(context: GateContext, options: BrowserGateOptions): Promise<Check[]> {
  const { manifest, say } = context;
  const source = await releaseSource(context);
  const site = await startGateSite(context, options.against);
  let shopper: Shopper | null = null;
  const browsers = options.browsers ?? (await launchBrowsers(options.chromium));
  const rounds = openRounds(browsers, { script: source.script, token: () => shopper?.token ?? null });
  try {
    const signedIn = await signedInCheck(browsers[0] as Browser, site.origin, options);
    shopper = signedIn.shopper;
    const hasShopper = shopper !== null;
    const kind = kindOf(manifest.name);
    const routes =
      kind === 'shell'
        ? Object.values(context.map.microFrontends).flatMap(([entry]) => entry?.extras.remote?.routes ?? [])
        : (manifest.remote?.routes ?? []);
    const visits = [
      ...routes.flatMap((route, index) => visitsOf(route, index, kind, hasShopper)),
      ...flowVisits(context, hasShopper),
    ].map((each) => ({ readyMs: options.readyMs ?? READY_MS, ...each }));
    const visited = await visitAll(rounds, site, visits, source, say);
    const visitors = hasShopper ? 'as a guest and signed in' : 'as a guest';
    const flows = manifest.flows?.length ?? 0;
    const checks = toChecks(visited, {
      browser: `${routes.length} routes ${visitors}, ${visits.length} visits`,
      'sign-in': signedIn.check.detail,
      ready: 'each page in time',
      blocking: 'no task of over 500 ms',
      'layout-shift': 'at most 0.05',
      accessibility: 'axe finds nothing',
      isolation: 'it changes nothing outside its pages',
      flows: flows > 0 ? `${flows} flows` : 'the release has none',
    });
    // A shopper who could not sign in says more than what the pages then did.
    return checks.map((check) =>
      check.check === 'sign-in' && signedIn.check.outcome !== 'passed' ? signedIn.check : check,
    );
  } finally {
    await (options.browsers ? rounds.close() : Promise.all(browsers.map((browser) => browser.close())));
    await site.close();
  }
}

async function signedInCheck(
  browser: Browser,
  origin: string,
  { account, against, nameMs = NAME_MS }: BrowserGateOptions,
): Promise<{ check: Check; shopper: Shopper | null }> {
  const check = 'sign-in';
  if (!account) {
    return {
      check: {
        check,
        outcome: 'skipped',
        detail: 'no account is given (RELEASE_GATE_ACCOUNT=phone:password): nothing behind a sign-in was opened',
      },
      shopper: null,
    };
  }
  try {
    const shopper = await signIn(origin, account);
    await proveSignedIn(browser, origin, shopper, nameMs);
    return { check: { check, outcome: 'passed', detail: `the page shows "${shopper.name}"` }, shopper };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = `the account ${account.phone} is not signed in at ${against}: ${reason} (RELEASE_GATE_ACCOUNT=phone:password)`;
    return { check: { check, outcome: 'failed', detail }, shopper: null };
  }
}

type UntimedVisit = Omit<Visit, 'readyMs'>;

/** Equal settings are one object, by which faults are grouped. */
const AS_SHOPPER = ROUNDS.map((round): Round => ({ ...round, visitor: 'signed in' }));
const AS_GUEST = ROUNDS.map((round): Round => ({ ...round, visitor: 'guest' }));

function visitsOf(route: RouteContract, index: number, kind: ReleaseKind, hasShopper: boolean): UntimedVisit[] {
  const isGuarded = route.flags?.requiresLogin === true;
  if (isGuarded && !hasShopper) return [];
  const five = isGuarded ? AS_SHOPPER : hasShopper ? ROUNDS : AS_GUEST;
  const chosen =
    kind === 'shell'
      ? Array.from({ length: SHELL_ROUNDS }, (_, each) => five[(index * SHELL_ROUNDS + each) % five.length] as Round)
      : five;
  const address = addressOf(route);
  return chosen.map((round) => {
    const audit = round.answers === 'as they are';
    return { where: route.path, address, round, audit, later: !audit };
  });
}

/** Each flow once in each language, once on a phone and once on a desktop. */
function flowVisits({ manifest }: GateContext, hasShopper: boolean): UntimedVisit[] {
  return (manifest.flows ?? []).flatMap((flow): UntimedVisit[] => {
    if (flow.visitor === 'signed in' && !hasShopper) return [];
    const rounds: Round[] = [
      { visitor: flow.visitor, language: 'zh-CN', width: 390, answers: 'as they are' },
      { visitor: flow.visitor, language: 'en', width: 1280, answers: 'as they are' },
    ];
    return rounds.map((round) => ({
      where: `flow "${flow.name}"`,
      address: flow.address ?? addressOf({ path: flow.route }),
      round,
      audit: false,
      later: false,
      act: (page) => runFlow(page, flow, round.language),
    }));
  });
}

async function visitAll(
  rounds: Rounds,
  site: GateSite,
  visits: readonly Visit[],
  source: ReleaseSource,
  say: GateContext['say'],
): Promise<Visited[]> {
  say?.(`making ${visits.length} visits in a browser …`);
  const found = new Map<Visit, Fault[]>();
  const notReady = new Set<string>();
  await rounds.run(visits, async (context, each) => {
    const faults = await visit(context, site, each, source, notReady.has(each.where));
    if (faults.some(({ check }) => check === 'ready')) notReady.add(each.where);
    found.set(each, faults);
    if (found.size % 10 === 0) say?.(`${found.size} of ${visits.length} visits made`);
  });

  // Of each place and check one visit is repeated, for all visits that met the same.
  const doubts = new Map<string, Visit>();
  const doubtOf = ({ where, check }: Fault) => `${where} ${check}`;
  for (const each of visits) {
    for (const fault of found.get(each) ?? []) {
      if (fault.depends && !doubts.has(doubtOf(fault))) doubts.set(doubtOf(fault), each);
    }
  }
  const repeated = [...new Set(doubts.values())].slice(0, MAX_REPEATS);
  const confirmed = new Set<string>();
  if (repeated.length > 0) say?.(`repeating ${repeated.length} visits alone, because a busy machine slows pages …`);
  await rounds.run(
    repeated,
    async (context, each) => {
      for (const fault of await visit(context, site, each, source)) {
        if (fault.depends) confirmed.add(doubtOf(fault)).add(fault.check);
      }
    },
    { alone: true },
  );
  const isConfirmed = (fault: Fault) => {
    const wasRepeated = repeated.includes(doubts.get(doubtOf(fault)) as Visit);
    return confirmed.has(wasRepeated ? doubtOf(fault) : fault.check);
  };
  return visits.map((each) => ({
    where: each.where,
    round: each.round,
    faults: (found.get(each) ?? []).filter((fault) => !fault.depends || isConfirmed(fault)),
  }));
}
