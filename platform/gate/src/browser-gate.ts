/**
 * The gate's last step: opens each route of a release in a real browser, with the map that would be live, under the settings of
 * rounds.ts, and runs the release's flows.
 */

import {
  type Check,
  type GateContext,
  type GateStep,
  kindOf,
  type ReleaseKind,
  type ReleaseMap,
  type RouteContract,
} from '@platform/releases';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowsers, openRounds, type Rounds } from './browsers';
import { type Fault, toChecks, type Visited } from './faults';
import { type GateSite, type GateSiteOptions, startGateSite } from './gate-site';
import { type ReleaseSource, releaseSource } from './release-source';
import { ROUNDS, type Round } from './rounds';
import { runFlow } from './run-flow';
import { type Account, proveSignedIn, type SignedIn } from './sign-in';
import { addressOf, READY_MS, VISIT_MS, type Visit, visit } from './visit';

export interface BrowserGateOptions extends GateSiteOptions {
  chromium: string;
  /** Chromium runs in its own sandbox, which it cannot as root; by default it does. */
  sandbox?: boolean;
  /** The script of page-probe.ts, compiled for browsers. */
  probe: string;
  /** For the rounds that are signed in; without one, only guests are checked. */
  account?: Account;
  /** How long a page may take to be ready, in milliseconds. */
  readyMs?: number;
  /** How long a visit may take, in milliseconds. */
  visitMs?: number;
  /** How long the account's own page, the first one, may take to show the name, in milliseconds. */
  nameMs?: number;
  /** Those of ROUNDS under which a remote's routes are opened; by default all. */
  rounds?: readonly Round[];
  /** Browsers to use, which stay open; by default it starts its own. */
  browsers?: readonly Browser[];
}

/** Visits that are repeated alone, because a busy machine could have caused what they found. */
const MAX_REPEATS = 6;
const NAME_MS = 10_000;
/** Of the rounds, for each route of the shell, which has the routes of all remotes. */
const SHELL_ROUNDS = 2;
export function browserGate(options: BrowserGateOptions): GateStep {
  return { check: 'browser', run: (context) => runBrowserGate(context, options) };
}

async function runBrowserGate(context: GateContext, options: BrowserGateOptions): Promise<Check[]> {
  const { manifest, say, signal } = context;
  const opened: Array<() => Promise<unknown>> = [];
  const closeAll = () => Promise.allSettled(opened.splice(0).map((close) => close()));
  const open = async <T>(work: Promise<T>, close: (made: T) => Promise<unknown>): Promise<T> => {
    const made = await work;
    opened.push(() => close(made));
    if (signal?.aborted) await closeAll();
    return made;
  };
  // What still waits for a page or an answer then fails.
  signal?.addEventListener('abort', closeAll);
  try {
    const source = await releaseSource(context, options.probe);
    const site = await open(startGateSite(context, options), (made) => made.close());
    let visitor: SignedIn | null = null;
    const browsers =
      options.browsers ??
      (await open(launchBrowsers(options.chromium, options.sandbox), (made) =>
        Promise.all(made.map((browser) => browser.close())),
      ));
    const token = () => visitor?.token ?? null;
    const rounds = openRounds(browsers, { site, script: source.script, token });
    opened.push(() => rounds.close());
    const signedIn = await signedInCheck(browsers[0] as Browser, site, options);
    visitor = signedIn.visitor;
    const hasAccount = visitor !== null;
    const kind = kindOf(manifest.name);
    const routes = kind === 'shell' ? routesOf(context.map) : (manifest.remote?.routes ?? []);
    const visits = [
      ...routes.flatMap((route, index) => visitsOf(route, index, kind, hasAccount, options.rounds ?? ROUNDS)),
      ...flowVisits(context, hasAccount),
    ].map((each) => ({ readyMs: options.readyMs ?? READY_MS, visitMs: options.visitMs ?? VISIT_MS, ...each }));
    const visited = await visitAll(rounds, visits, { source, site, say });
    const visitors = hasAccount ? 'as a guest and signed in' : 'as a guest';
    const flows = manifest.flows?.length ?? 0;
    const checks = toChecks(visited, {
      browser: `${routes.length} routes ${visitors}, ${visits.length} visits`,
      'sign-in': signedIn.check.detail,
      ready: 'each page in time',
      'layout-shift': 'at most 0.05',
      accessibility: 'axe finds nothing, in both themes, after each step of a flow and in what buttons open',
      presses: 'presses land on the controls that are seen',
      head: 'scripts leave the head as it was sent',
      isolation: 'it changes nothing outside its pages',
      flows: flows > 0 ? `${flows} flows` : 'the release has none',
    });
    // An account that could not sign in says more than what the pages then did.
    return checks.map((check) =>
      check.check === 'sign-in' && signedIn.check.outcome !== 'passed' ? signedIn.check : check,
    );
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

type UntimedVisit = Omit<Visit, 'readyMs' | 'visitMs'>;

/** Equal settings are one object, by which faults are grouped. */
const SIGNED_IN = ROUNDS.map((round): Round => ({ ...round, visitor: 'signed in' }));
const AS_GUEST = ROUNDS.map((round): Round => ({ ...round, visitor: 'guest' }));

function visitsOf(
  route: RouteContract,
  index: number,
  kind: ReleaseKind,
  hasAccount: boolean,
  rounds: readonly Round[],
): UntimedVisit[] {
  const isGuarded = route.flags?.requiresLogin === true;
  if (isGuarded && !hasAccount) return [];
  const all = isGuarded ? SIGNED_IN : hasAccount ? ROUNDS : AS_GUEST;
  const chosen =
    kind === 'shell'
      ? Array.from({ length: SHELL_ROUNDS }, (_, each) => all[(index * SHELL_ROUNDS + each) % all.length] as Round)
      : all.filter((_, each) => rounds.includes(ROUNDS[each] as Round));
  const address = addressOf(route);
  return chosen.map((round) => {
    const audit = round.answers === 'as they are';
    // A phone and a desktop.
    const presses = audit && round.theme === 'light';
    return { where: route.path, address, round, audit, presses };
  });
}

/** Each flow once in each language, once on a phone and once on a desktop. */
function flowVisits({ manifest }: GateContext, hasAccount: boolean): UntimedVisit[] {
  return (manifest.flows ?? []).flatMap((flow): UntimedVisit[] => {
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
      presses: false,
      act: (page, answers, examine) => runFlow(page, flow, { language: round.language, answers, examine }),
    }));
  });
}

/** With skeletons: a rendered document brings the answers along that a flow compares the page with. */
const FLOW_ROUND = { answers: 'as they are', document: 'skeleton' } as const;

/** Something to be done in a tab, and again alone if what it finds could come from a busy machine. */
interface Task {
  where: string;
  round: Round;
  /** What it clicks may sign out or change settings, which other tasks must not notice. */
  ownStorage: boolean;
  run(context: BrowserContext, again: boolean): Promise<readonly Fault[]>;
}

interface Work extends Pick<GateContext, 'say'> {
  source: ReleaseSource;
  site: GateSite;
}

async function visitAll(rounds: Rounds, visits: readonly Visit[], { say, ...work }: Work): Promise<Visited[]> {
  const tasks = tasksOfVisits(visits, work);
  say?.(`making ${tasks.length} visits in a browser …`);
  const found = new Map<Task, readonly Fault[]>();
  await rounds.run(tasks, async (context, task) => {
    found.set(task, await task.run(context, false));
    if (found.size % 10 === 0) say?.(`${found.size} of ${tasks.length} visits made`);
  });

  // Of each place and check one visit is repeated, for all visits that met the same.
  const doubts = new Map<string, Task>();
  const doubtOf = ({ where, check }: Fault) => `${where} ${check}`;
  for (const task of tasks) {
    for (const fault of found.get(task) ?? []) {
      if (fault.depends && !doubts.has(doubtOf(fault))) doubts.set(doubtOf(fault), task);
    }
  }
  const repeated = [...new Set(doubts.values())].slice(0, MAX_REPEATS);
  const confirmed = new Set<string>();
  if (repeated.length > 0) say?.(`repeating ${repeated.length} visits alone, because a busy machine slows pages …`);
  await rounds.run(
    repeated,
    async (context, task) => {
      for (const fault of await task.run(context, true)) {
        if (fault.depends) confirmed.add(doubtOf(fault)).add(fault.check);
      }
    },
    { alone: true },
  );
  const isConfirmed = (fault: Fault) => {
    const wasRepeated = repeated.includes(doubts.get(doubtOf(fault)) as Task);
    return confirmed.has(wasRepeated ? doubtOf(fault) : fault.check);
  };
  return tasks.map((task) => {
    const all = found.get(task) ?? [];
    const faults = all.filter((fault) => !fault.depends || isConfirmed(fault));
    return { where: task.where, round: task.round, faults, once: all.filter((fault) => !faults.includes(fault)) };
  });
}

function tasksOfVisits(visits: readonly Visit[], { source, site }: Work): Task[] {
  const notReady = new Set<string>();
  const hanging = new Set<string>();
  return visits.map((each) => ({
    where: each.where,
    round: each.round,
    ownStorage: each.presses,
    async run(context, again) {
      // A page that does not end its visit takes its whole time, so it is opened no more, but once alone.
      if (!again && hanging.has(each.where)) return [];
      const { faults, hangs } = await visit(context, site, each, source, !again && notReady.has(each.where));
      if (hangs) hanging.add(each.where);
      if (faults.some(({ check }) => check === 'ready')) notReady.add(each.where);
      return faults;
    },
  }));
}
