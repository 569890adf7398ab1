/**
 * The gate's last step: opens each route of a release in a real browser, with the map that would be live, under the settings of
 * rounds.ts, and runs the release's flows.
 */

import type { Browser } from 'playwright-core';
import { type Check, type GateContext, type GateStep, kindOf, type ReleaseKind, type RouteContract } from '../..';
import { launchBrowsers, openRounds, type Rounds } from './browsers';
import { type Fault, toChecks, type Visited } from './faults';
import { type GateSite, type GateSiteOptions, startGateSite } from './gate-site';
import { type ReleaseSource, releaseSource } from './release-source';
import { ROUNDS, type Round } from './rounds';
import { runFlow } from './run-flow';
import { type Account, proveSignedIn, type SignedIn } from './sign-in';
import { addressOf, READY_MS, type Visit, visit } from './visit';

export interface BrowserGateOptions extends GateSiteOptions {
  chromium: string;
  /** The script of page-probe.ts, compiled for browsers. */
  probe: string;
  /** For the rounds that are signed in; without one, only guests are checked. */
  account?: Account;
  /** How long a page may take to be ready, in milliseconds. */
  readyMs?: number;
  /** How long the account's own page, the first one, may take to show the name, in milliseconds. */
  nameMs?: number;
  /** Browsers to use, which stay open; by default it starts its own. */
  browsers?: readonly Browser[];
}

/** Visits that are repeated alone, because a busy machine could have caused what they found. */
const MAX_REPEATS = 6;
const NAME_MS = 10_000;
/** Of five rounds, for each route of the shell, which has the routes of all remotes. */
const SHELL_ROUNDS = 2;

export function browserGate(options: BrowserGateOptions): GateStep {
  return { check: 'browser', run: (context) => runBrowserGate(context, options) };
}

async function runBrowserGate(context: GateContext, options: BrowserGateOptions): Promise<Check[]> {
  const { manifest, say } = context;
  const source = await releaseSource(context, options.probe);
  const site = await startGateSite(context, options);
  let visitor: SignedIn | null = null;
  const browsers = options.browsers ?? (await launchBrowsers(options.chromium));
  const rounds = openRounds(browsers, { script: source.script, token: () => visitor?.token ?? null });
  try {
    const signedIn = await signedInCheck(browsers[0] as Browser, site.origin, options);
    visitor = signedIn.visitor;
    const hasAccount = visitor !== null;
    const kind = kindOf(manifest.name);
    const routes =
      kind === 'shell'
        ? Object.values(context.map.microFrontends).flatMap(([entry]) => entry?.extras.remote?.routes ?? [])
        : (manifest.remote?.routes ?? []);
    const visits = [
      ...routes.flatMap((route, index) => visitsOf(route, index, kind, hasAccount)),
      ...flowVisits(context, hasAccount),
    ].map((each) => ({ readyMs: options.readyMs ?? READY_MS, ...each }));
    const visited = await visitAll(rounds, site, visits, source, say);
    const visitors = hasAccount ? 'as a guest and signed in' : 'as a guest';
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
    // An account that could not sign in says more than what the pages then did.
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
): Promise<{ check: Check; visitor: SignedIn | null }> {
  const check = 'sign-in';
  if (!account) {
    const detail = 'no account is given: nothing behind a sign-in was opened';
    return { check: { check, outcome: 'skipped', detail }, visitor: null };
  }
  try {
    const visitor = await account.signIn(origin);
    await proveSignedIn(browser, origin + account.page, visitor, nameMs);
    return { check: { check, outcome: 'passed', detail: `the page shows "${visitor.name}"` }, visitor };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = `the account ${account.label} is not signed in at ${against}: ${reason}`;
    return { check: { check, outcome: 'failed', detail }, visitor: null };
  }
}

type UntimedVisit = Omit<Visit, 'readyMs'>;

/** Equal settings are one object, by which faults are grouped. */
const SIGNED_IN = ROUNDS.map((round): Round => ({ ...round, visitor: 'signed in' }));
const AS_GUEST = ROUNDS.map((round): Round => ({ ...round, visitor: 'guest' }));

function visitsOf(route: RouteContract, index: number, kind: ReleaseKind, hasAccount: boolean): UntimedVisit[] {
  const isGuarded = route.flags?.requiresLogin === true;
  if (isGuarded && !hasAccount) return [];
  const five = isGuarded ? SIGNED_IN : hasAccount ? ROUNDS : AS_GUEST;
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
function flowVisits({ manifest }: GateContext, hasAccount: boolean): UntimedVisit[] {
  return (manifest.flows ?? []).flatMap((flow): UntimedVisit[] => {
    if (flow.visitor === 'signed in' && !hasAccount) return [];
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
