import {
  type Check,
  type GateContext,
  type GateStep,
  type ReleaseMap,
  type RouteContract,
  SHELL,
} from '@platform/releases';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser, onlyTo, openRounds, type Rounds } from './browsers';
import { type Fault, toChecks, type Visited } from './faults';
import { type GateSite, type GateSiteOptions, startGateSite } from './gate-site';
import { type ReleaseSource, releaseSource } from './release-source';
import { ROUNDS, type Round } from './rounds';
import { runFlow } from './run-flow';
import { addressOf, type Visit, type VisitTimes, visit } from './visit';

interface SignedIn {
  token: string;
  name: string;
}

export interface Account {
  /** Text for messages; contains no secret. */
  label: string;
  page: string;
  /** Rejects with the answer of the site. */
  signIn(origin: string): Promise<SignedIn>;
}

export interface BrowserGateOptions extends GateSiteOptions, VisitTimes {
  chromium: string;
  /** Chromium's own sandbox, on by default. Chromium cannot use it as root. */
  sandbox?: boolean;
  probe: string;
  /** The account for signed-in rounds. Without an account, the gate checks guests only. */
  account?: Account;
  nameMs?: number;
  /** The rounds in which a remote's routes are opened; by default all of ROUNDS. */
  rounds?: readonly Round[];
  /** Browsers to use, which stay open. By default the gate starts its own. */
  browsers?: readonly Browser[];
}

const BROWSERS = 2;
/** Visits that are repeated alone, because a busy machine could have caused their faults. */
const MAX_REPEATS = 6;
const NAME_MS = 10_000;
/** The shell has the routes of all remotes, so each of them is opened in fewer rounds. */
const SHELL_ROUNDS = 2;

export function browserGate(options: BrowserGateOptions): GateStep {
  return { check: 'browser', run: (context) => runBrowserGate(context, options) };
}

async function runBrowserGate(context: GateContext, options: BrowserGateOptions): Promise<Check[]> {
  const { manifest, say, signal } = context;
  const opened: Array<() => Promise<unknown>> = [];
  let isEnded = false;
  const closeAll = () => {
    isEnded = true;
    return Promise.allSettled(opened.splice(0).map((close) => close()));
  };
  const open = async <T>(work: Promise<T>, close: (made: T) => Promise<unknown>): Promise<T> => {
    const made = await work;
    opened.push(() => close(made));
    if (isEnded) await closeAll();
    return made;
  };
  // Everything that still waits for a page or an answer then fails.
  signal?.addEventListener('abort', closeAll);
  try {
    const source = releaseSource(context, options.probe);
    const site = await open(startGateSite(context, options), (made) => made.close());
    const launch = () => open(launchBrowser(options.chromium, options.sandbox), (browser) => browser.close());
    const browsers = options.browsers ?? (await Promise.all(Array.from({ length: BROWSERS }, launch)));
    const { check: signIn, visitor } = await signedInCheck(browsers[0] as Browser, site, options);
    const rounds = openRounds(browsers, { site, script: source.script, token: visitor?.token });
    opened.push(() => rounds.close());
    const hasAccount = visitor !== null;
    const isShell = manifest.name === SHELL;
    const routes = isShell ? routesOf(context.map) : (manifest.remote?.routes ?? []);
    const visits = [
      ...routes.flatMap((route, index) => visitsOf(route, index, isShell, hasAccount, options.rounds ?? ROUNDS)),
      ...flowVisits(context, hasAccount),
    ];
    const visited = await visitAll(rounds, visits, { source, site, times: options, say });
    const visitors = hasAccount ? 'as a guest and signed in' : 'as a guest';
    const flows = manifest.flows?.length ?? 0;
    const checks = toChecks(visited, {
      browser: `${routes.length} routes ${visitors}, ${visits.length} visits`,
      'sign-in': signIn.detail,
      ready: 'each page in time',
      'layout-shift': 'at most 0.05',
      accessibility: 'axe finds no faults in both themes, after each step of a flow and in dialogs',
      presses: 'clicks reach all visible controls',
      head: 'scripts do not change the head',
      isolation: 'it changes nothing outside its pages',
      flows: flows > 0 ? `${flows} flows` : 'the release has no flows',
    });
    // A failed sign-in explains more than the faults of the pages after it.
    return checks.map((check) => (check.check === 'sign-in' && signIn.outcome !== 'passed' ? signIn : check));
  } finally {
    signal?.removeEventListener('abort', closeAll);
    await closeAll();
  }
}

const routesOf = ({ microFrontends }: ReleaseMap): RouteContract[] =>
  Object.values(microFrontends).flatMap(([entry]) => entry?.extras.remote?.routes ?? []);

async function signedInCheck(
  browser: Browser,
  site: GateSite,
  { account, against, nameMs = NAME_MS }: BrowserGateOptions,
): Promise<{ check: Check; visitor: SignedIn | null }> {
  const check = 'sign-in';
  if (!account) {
    const detail = 'no account is given: nothing behind a sign-in was opened';
    return { check: { check, outcome: 'skipped', detail }, visitor: null };
  }
  try {
    const visitor = await account.signIn(site.origin);
    await proveSignedIn(browser, site, account.page, visitor, nameMs);
    return { check: { check, outcome: 'passed', detail: `the page shows "${visitor.name}"` }, visitor };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = `the account ${account.label} is not signed in at ${against}: ${reason}`;
    return { check: { check, outcome: 'failed', detail }, visitor: null };
  }
}

/** Throws when the page does not show the name within `timeout` ms. */
async function proveSignedIn(
  browser: Browser,
  site: GateSite,
  path: string,
  { token, name }: SignedIn,
  timeout: number,
): Promise<void> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...onlyTo(site) });
  try {
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
    const page = await context.newPage();
    await page.goto(site.origin + path, { waitUntil: 'commit' });
    await page
      .getByText(name)
      .first()
      .waitFor({ timeout })
      .catch(() => {
        throw new Error(`${path} does not show the name "${name}"`);
      });
  } finally {
    await context.close();
  }
}

/** Equal settings must be one object, because faults are grouped by identity. */
const SIGNED_IN = ROUNDS.map((round): Round => ({ ...round, visitor: 'signed in' }));
const AS_GUEST = ROUNDS.map((round): Round => ({ ...round, visitor: 'guest' }));

function visitsOf(
  route: RouteContract,
  index: number,
  isShell: boolean,
  hasAccount: boolean,
  rounds: readonly Round[],
): Visit[] {
  const isGuarded = route.flags?.requiresLogin === true;
  if (isGuarded && !hasAccount) return [];
  const all = isGuarded ? SIGNED_IN : hasAccount ? ROUNDS : AS_GUEST;
  const chosen = isShell
    ? Array.from({ length: SHELL_ROUNDS }, (_, each) => all[(index * SHELL_ROUNDS + each) % all.length] as Round)
    : all.filter((_, each) => rounds.includes(ROUNDS[each] as Round));
  const address = addressOf(route);
  return chosen.map((round) => {
    const audit = round.answers === 'as they are';
    // The two audited rounds of the light theme are one phone and one desktop.
    const clicks = audit && round.theme === 'light';
    return { where: route.path, address, round, audit, clicks };
  });
}

function flowVisits({ manifest }: GateContext, hasAccount: boolean): Visit[] {
  return (manifest.flows ?? []).flatMap((flow): Visit[] => {
    if (flow.visitor === 'signed in' && !hasAccount) return [];
    const { visitor } = flow;
    const rounds: Round[] = [
      { ...FLOW_ROUND, visitor, language: 'zh-CN', width: 390, theme: 'light' },
      { ...FLOW_ROUND, visitor, language: 'en', width: 1280, theme: 'dark' },
    ];
    return rounds.map((round) => ({
      where: `flow "${flow.name}"`,
      address: flow.address ?? addressOf({ path: flow.route }),
      round,
      audit: true,
      clicks: false,
      runSteps: (page, answers, examine) => runFlow(page, flow, { language: round.language, answers, examine }),
    }));
  });
}

/** Flows use skeletons: a rendered document already contains the answers that a flow compares the page with. */
const FLOW_ROUND = { answers: 'as they are', document: 'skeleton' } as const;

interface Work extends Pick<GateContext, 'say'> {
  source: ReleaseSource;
  site: GateSite;
  times: VisitTimes;
}

async function visitAll(
  rounds: Rounds,
  visits: readonly Visit[],
  { source, site, times, say }: Work,
): Promise<Visited[]> {
  say?.(`making ${visits.length} visits in a browser …`);
  const faultsByVisit = new Map<Visit, readonly Fault[]>();
  const hanging = new Set<string>();
  const open = async (context: BrowserContext, one: Visit) => {
    const { faults, hangs } = await visit(context, site, one, source, times);
    if (hangs) hanging.add(one.where);
    return faults;
  };
  await rounds.run(visits, async (context, one) => {
    // A page that hangs costs the whole time of a visit, so it is opened only once more, alone.
    faultsByVisit.set(one, hanging.has(one.where) ? [] : await open(context, one));
    if (faultsByVisit.size % 10 === 0) say?.(`${faultsByVisit.size} of ${visits.length} visits made`);
  });

  // One visit is repeated for each place and check. It stands for all visits with the same fault.
  const doubts = new Map<string, Visit>();
  const doubtOf = ({ where, check }: Fault) => `${where} ${check}`;
  for (const one of visits) {
    for (const fault of faultsByVisit.get(one) ?? []) {
      if (fault.depends && !doubts.has(doubtOf(fault))) doubts.set(doubtOf(fault), one);
    }
  }
  const repeated = [...new Set(doubts.values())].slice(0, MAX_REPEATS);
  const confirmed = new Set<string>();
  if (repeated.length > 0) say?.(`repeating ${repeated.length} visits alone, because a busy machine slows pages …`);
  await rounds.run(
    repeated,
    async (context, one) => {
      for (const fault of await open(context, one)) {
        if (fault.depends) confirmed.add(doubtOf(fault)).add(fault.check);
      }
    },
    { alone: true },
  );
  const isConfirmed = (fault: Fault) => {
    const wasRepeated = repeated.includes(doubts.get(doubtOf(fault)) as Visit);
    return confirmed.has(wasRepeated ? doubtOf(fault) : fault.check);
  };
  return visits.map((one) => {
    const allFaults = faultsByVisit.get(one) ?? [];
    const faults = allFaults.filter((fault) => !fault.depends || isConfirmed(fault));
    return { where: one.where, round: one.round, faults, once: allFaults.filter((fault) => !faults.includes(fault)) };
  });
}
