/**
 * `npm run release -- drill`: each bad release goes through the gate, and is then forced past it in a throw-away shop with a
 * steady number of visits, until the watcher has taken it back and a tab that ran it is well again. What the gate refuses and neither
 * a browser nor the funnel would see stays there: live, it would show nothing but a rollback by hand.
 */

import { availableParallelism, loadavg } from 'node:os';
import {
  freeze,
  type GateStep,
  gate,
  history,
  liveVersion,
  promote,
  type ReleaseManifest,
  rollback,
  type Store,
} from '@platform/releases';
import { launchBrowsers } from '@platform/releases/browser-gate';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Browser } from 'playwright-core';
import { accountOf, shopGate } from '../shop-gate';
import { type DrillShop, openDrillShop } from './drill-shop';
import { type DrillTab, openDrillTab } from './drill-tab';
import { DRILLS, type Drill } from './drills';
import { type Seen, Shoppers } from './shoppers';

/** Where the shoppers of each remote come in. */
const PAGES = {
  catalog: { path: '/home', page: './home', isGuarded: false },
  content: { path: '/business', page: './business', isGuarded: false },
  account: { path: '/user', page: './user', isGuarded: true },
  shell: { path: '/home', page: './main', isGuarded: false },
} as const;

const ACCOUNT = { phone: '13800000000', password: 'demo1234' };
const VISITS_A_MINUTE = 1_000;
const LOOK_MS = 200;
/** Kinds of reports that do not make a visit a failed one. */
const NO_FAILURES: readonly string[] = ['visit', 'vital', 'resource', 'long-task', 'refused'];
/** Healthy visits before the first bad release. */
const BASELINE_VISITS = 1_000;
/** A release that is still live then is not caught. */
const WATCH_LIMIT_MS = 4 * 60_000;
/** The funnel needs more visits than failures do, and a canary has fewer: five minutes, and the drill looks a while longer. */
const CANARY_LIMIT_MS = 8 * 60_000;
const TAB_LIMIT_MS = 120_000;
/** A tab that the release freezes is not waited for any longer. */
const TAB_OPENS_MS = 15_000;
/** With nothing that a browser reports, ops take the release back after so long. */
const OPS_MS = 15_000;

export interface DrillOptions {
  only?: readonly string[];
  say?: (line: string) => void;
}

export interface GateOutcome {
  /** The checks that refused it; none when it passed. */
  failed: string[];
  detail: string;
  seconds: number;
}

export interface LiveOutcome {
  /** Per cent of the visitors. */
  traffic: number;
  caughtBy: 'watcher' | 'canary' | 'ops' | null;
  why: string;
  /** From the promote until no document has it. */
  seconds: number;
  seen: Seen;
  /** What the real browser has reported. */
  reported: string[];
  /** Seconds after that until the tab was well; null when it was not. */
  tabSeconds: number | null | 'did not run it';
}

export interface DrillResult {
  name: string;
  title: string;
  /** Null: the gate has judged the same fault under another name. */
  gate: GateOutcome | null;
  /** What the generated visits report; null when a browser reports nothing. */
  expected: string | null;
  /** The step that no visit reaches with it; null where visits reach what they did. */
  stops: string | null;
  /** Null: it was not made live. */
  live: LiveOutcome | null;
}

export interface DrillReport {
  visitsAMinute: number;
  baselineSeconds: number;
  failedRequests: number;
  /** Of the last minute; the drill itself is part of it. */
  loadAverage: number;
  cores: number;
  drills: DrillResult[];
}

interface Prepared {
  drill: Drill;
  manifest: ReleaseManifest;
  gate: GateOutcome | null;
}

export async function runDrills({ only, say = () => {} }: DrillOptions = {}): Promise<DrillReport> {
  const baselineMs = (BASELINE_VISITS * 60_000) / VISITS_A_MINUTE;
  const drills = DRILLS.filter(({ name }) => !only || only.includes(name));
  const executablePath = await chromiumPath();
  say('starting a throw-away shop …');
  const shop = await openDrillShop(say);
  let browsers: Browser[] = [];
  const remoteDrills: RemoteDrill[] = [];
  try {
    browsers = await launchBrowsers(executablePath);
    const account = accountOf(ACCOUNT);
    const step = shopGate({ against: shop.url, chromium: executablePath, account, browsers });
    const prepared = await prepare(shop, drills, step, say);
    const { token } = await account.signIn(shop.url);
    const seen = prepared.filter(isSeenLive);
    const names = [...new Set(seen.map(({ drill }) => drill.remote))];
    say(`${baselineMs / 1000} s of ${VISITS_A_MINUTE} healthy visits a minute …`);
    for (const name of names) remoteDrills.push(new RemoteDrill(shop, name, browsers[0] as Browser, token, say));
    await pause(names.length > 0 ? baselineMs : 0);
    const run = (chosen: readonly RemoteDrill[]) =>
      Promise.all(
        chosen.map((remoteDrill) => remoteDrill.run(seen.filter(({ drill }) => drill.remote === remoteDrill.name))),
      );
    const ofRemotes = await run(remoteDrills.filter(({ name }) => name !== 'shell'));
    // Alone: it would reach the tabs of the others.
    const ofShell = await run(remoteDrills.filter(({ name }) => name === 'shell'));
    const outcomes = new Map([...ofRemotes, ...ofShell].flat());
    return {
      visitsAMinute: VISITS_A_MINUTE,
      baselineSeconds: baselineMs / 1000,
      loadAverage: loadavg()[0] ?? 0,
      cores: availableParallelism(),
      failedRequests: remoteDrills.reduce((sum, { shoppers }) => sum + shoppers.failedRequests, 0),
      drills: prepared.map(({ drill: { name, title, reports, stops }, gate }) => ({
        name,
        title,
        gate,
        expected: reports?.kind ?? null,
        stops: stops ?? null,
        live: outcomes.get(name) ?? null,
      })),
    };
  } finally {
    await Promise.all(remoteDrills.map(({ shoppers }) => shoppers.stop()));
    await Promise.all(browsers.map((browser) => browser.close()));
    await shop.close();
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

async function chromiumPath(): Promise<string> {
  const { findChromium } = await import('../../setup/chromium.mjs');
  const found = findChromium();
  if (!found) throw new Error('a drill needs Chromium: install it, or set CHROME_PATH to it');
  return found;
}

/** Somebody but ops would notice it once it is live, or the gate has let it pass. */
const isSeenLive = ({ drill: { reports, stops }, gate }: Prepared): boolean =>
  reports !== null || stops !== undefined || gate?.failed.length === 0;

/** Publishes and gates each bad release; nothing of it goes live. */
async function prepare(
  { store }: DrillShop,
  drills: readonly Drill[],
  step: GateStep,
  say: (line: string) => void,
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  const judged = new Set<Drill['change']>();
  for (const drill of drills) {
    const { name, title, remote, change, alsoOpens = [] } = drill;
    const manifest = await publishVariant(store, await liveManifest(store, remote), change, `drill ${name}`);
    const onSomePages = opening(step, [PAGES[remote].path, ...alsoOpens]);
    const isJudged = judged.has(change);
    judged.add(change);
    if (!isJudged) say(`${title}: the gate …`);
    prepared.push({ drill, manifest, gate: isJudged ? null : await judgeRelease(store, manifest, onSomePages) });
  }
  return prepared;
}

async function judgeRelease(store: Store, { name, version }: ReleaseManifest, step: GateStep): Promise<GateOutcome> {
  const started = performance.now();
  const { checks } = await gate(store, { name, version, by: 'drill', steps: [step] });
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  return {
    failed: failed.map(({ check }) => check),
    detail: failed.map(({ check, detail }) => `${check}: ${detail}`).join('; '),
    seconds: (performance.now() - started) / 1000,
  };
}

async function liveManifest(store: Store, name: string): Promise<ReleaseManifest> {
  const map = await store.readMap('production');
  const manifest = await store.readManifest(name, liveVersion(map, name) ?? '');
  if (!manifest) throw new Error(`nothing of ${name} is live`);
  return manifest;
}

/** These pages and the flows on them only, to keep the drill short. The release has all of its pages, to which others link. */
const opening = (step: GateStep, paths: readonly string[]): GateStep => ({
  ...step,
  run(context) {
    const { remote, flows = [] } = context.manifest;
    if (!remote) return step.run(context);
    const routes = remote.routes.filter(({ path }) => paths.includes(path));
    const shown = { remote: { ...remote, routes }, flows: flows.filter(({ route }) => paths.includes(route)) };
    return step.run({ ...context, manifest: { ...context.manifest, ...shown } });
  },
});

/** The drills of one remote, one after another: a tab must be well before the next bad release of its remote. */
class RemoteDrill {
  readonly shoppers: Shoppers;

  constructor(
    private readonly shop: DrillShop,
    readonly name: Drill['remote'],
    private readonly browser: Browser,
    private readonly token: string,
    private readonly say: (line: string) => void,
  ) {
    this.shoppers = new Shoppers({ name, ...PAGES[name], visitsAMinute: VISITS_A_MINUTE, url: shop.url });
  }

  async run(prepared: readonly Prepared[]): Promise<Array<[string, LiveOutcome]>> {
    const outcomes: Array<[string, LiveOutcome]> = [];
    for (const { drill, manifest } of prepared) outcomes.push([drill.name, await this.drill(drill, manifest)]);
    return outcomes;
  }

  private async drill(drill: Drill, { name, version }: ReleaseManifest): Promise<LiveOutcome> {
    const { store, url } = this.shop;
    const { traffic = 100, title, reports, stops } = drill;
    const seenLimitMs = traffic < 100 ? CANARY_LIMIT_MS : WATCH_LIMIT_MS;
    const limitMs = reports || stops ? seenLimitMs : OPS_MS;
    const seen = this.shoppers.watch(version, drill);
    // The watcher would take it back before the tab has run it.
    this.shoppers.held = true;
    await promote(store, {
      name,
      version,
      by: 'drill',
      why: `drill: ${title}`,
      skip: ['own-pages', 'browser'],
      traffic,
    });
    this.say(`${title}: live for ${traffic} % of the visitors …`);
    const tab = openDrillTab(this.browser, {
      url,
      ...PAGES[this.name],
      version,
      token: this.token,
      drill,
    });
    // Awaited below; a tab that does not run it must not end the process before.
    const opened = tab.catch(() => {});
    await Promise.race([opened, pause(TAB_OPENS_MS)]);
    Object.assign(seen, { visits: 0, ran: 0, met: 0, orders: 0 });
    this.shoppers.held = false;
    const started = performance.now();
    let caughtBy: LiveOutcome['caughtBy'] = await this.takenBack(version, started + limitMs);
    if (!caughtBy) {
      const author = { name, by: 'drill', why: `drill: ${title}` };
      await freeze(store, { ...author, version });
      await rollback(store, { ...author, from: version });
      caughtBy = reports || stops ? null : 'ops';
    }
    const takenBackAt = performance.now();
    const seconds = (takenBackAt - started) / 1000;
    const counted = { ...seen };
    const [last] = await history(store, { name, limit: 1 });
    this.say(`${title}: ${caughtBy ? `taken back by ${caughtBy}` : 'not caught'} after ${Math.round(seconds)} s`);
    const tabSeconds = await this.recovery(tab, takenBackAt);
    const reported = this.shop.tabReports.filter((one) => one.name === name && one.version === version);
    return {
      traffic,
      caughtBy,
      why: last?.why ?? '',
      seconds,
      seen: counted,
      reported: [...new Set(reported.map(({ kind }) => kind))].filter((kind) => !NO_FAILURES.includes(kind)),
      tabSeconds,
    };
  }

  /** Null when it is still live at `until`. */
  private async takenBack(version: string, until: number): Promise<'watcher' | 'canary' | null> {
    while (performance.now() < until) {
      const map = await this.shop.store.readMap('production');
      const entries = map.microFrontends[this.name] ?? [];
      if (!entries.some(({ metadata }) => metadata.version === version)) {
        return (await this.wasCanary(version)) ? 'canary' : 'watcher';
      }
      await pause(LOOK_MS);
    }
    return null;
  }

  private async wasCanary(version: string): Promise<boolean> {
    const revisions = await history(this.shop.store, { name: this.name, limit: 3 });
    return revisions.some(({ action, from }) => action === 'abandon' && from === version);
  }

  private async recovery(opening: Promise<DrillTab>, since: number): Promise<LiveOutcome['tabSeconds']> {
    let tab: DrillTab;
    try {
      tab = await opening;
    } catch (error) {
      this.say(`the tab: ${error instanceof Error ? error.message : error}`);
      return 'did not run it';
    }
    return tab.recovers(since, TAB_LIMIT_MS).finally(() => tab.close());
  }
}
