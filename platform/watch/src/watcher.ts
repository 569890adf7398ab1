/**
 * Judges every release that became live or a canary: it rolls a bad one back and freezes it, raises a healthy canary that has a
 * plan, and reports both, and what it could not do. A frozen release never comes back automatically, so releases cannot flap.
 */
import { createHash } from 'node:crypto';
import {
  type Author,
  advanceCanary,
  CHANNEL,
  ConflictError,
  canaryEntry,
  liveEntry,
  type MapSource,
  type ReleaseMap,
  rollback,
  type ServerContract,
  type Store,
} from '@platform/releases';
import { collect, type Judged, type Look } from './collect';
import type { HealthStore } from './health-store';
import { type Comparison, describe, type Evidence, stepEvidence, waitsFor } from './judge';
import { WATCHER, WATCHER_KINDS, type WatcherKind } from './release-event';
import { ChangeRecorder, recordEvent, type Webhooks } from './release-events';
import { metricLines } from './release-metrics';
import { pathOf } from './step-counts';

export interface WatcherOptions {
  store: Store;
  source: MapSource;
  health: HealthStore;
  /** The contract by which a rollback is checked first. */
  server?: ServerContract;
  webhooks?: Webhooks;
  log?: (line: string) => void;
}

export interface Action {
  kind: WatcherKind;
  name: string;
  version: string;
  why: string;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export class Watcher {
  private seen: number | null = null;
  private readonly actionCounts = new Map<string, number>();
  private readonly changes: ChangeRecorder;
  private readonly options: WatcherOptions & Required<Pick<WatcherOptions, 'webhooks' | 'log'>>;

  constructor(options: WatcherOptions) {
    this.options = { webhooks: { urls: [], secret: '' }, log: () => {}, ...options };
    this.changes = new ChangeRecorder(this.options);
  }

  async look(): Promise<Action[]> {
    const { source, health } = this.options;
    const map = await source.get();
    const look = await collect(health, map);
    const done: Action[] = [];
    for (const judged of look.judged) {
      const tried = await this.tryOut(judged.comparison);
      const action = await this.applyVerdict(map, look, judged);
      done.push(...tried, ...(action ? [action] : []));
    }
    for (const { kind, name } of done)
      this.actionCounts.set(`${kind} ${name}`, (this.actionCounts.get(`${kind} ${name}`) ?? 0) + 1);
    // One look later, so that the server whose watcher acted reports it first, with its evidence.
    await this.changes.recordUntil(this.seen ?? map.rev);
    this.seen = map.rev;
    return done;
  }

  /** Metrics for Prometheus. All kinds from the start, because a counter that begins with 1 shows no increase. */
  lines(prefix: string, { microFrontends }: ReleaseMap): string[] {
    const help = 'What the watcher of this server did with a release.';
    return metricLines(
      `${prefix}_watcher_acts_total`,
      help,
      Object.keys(microFrontends).flatMap((name) =>
        WATCHER_KINDS.map((kind) => ({ labels: { name, kind }, value: this.actionCounts.get(`${kind} ${name}`) ?? 0 })),
      ),
    );
  }

  private async applyVerdict(map: ReleaseMap, look: Look, judged: Judged): Promise<Action | null> {
    const { comparison } = judged;
    const { kind, name } = comparison;
    const { verdict, evidence } = judged.verdict;
    try {
      if (verdict === 'bad' && evidence) {
        const reason = kind === 'live' && this.reasonToStay(map, look, comparison);
        if (reason) return await this.alert(comparison, evidence, `${reason}, so nothing was changed: `);
        return await this.rollBack(comparison, evidence);
      }
      if (verdict === 'alert' && evidence) return await this.alert(comparison, evidence);
      const plan = map.ops.plans?.[name];
      return kind === 'canary' && plan && waitsFor(comparison, plan.minutes) === null
        ? await this.advance(comparison)
        : null;
    } catch (error) {
      // The same release was changed concurrently; the next look sees the result.
      if (error instanceof ConflictError) return null;
      return this.alertOfFailure(comparison, evidence, error).catch((failure: unknown) => {
        this.options.log(`could not report ${name}: ${messageOf(failure)}`);
        return null;
      });
    }
  }

  /** Why a rollback to an earlier release would not help. */
  private reasonToStay(map: ReleaseMap, look: Look, { name, to }: Comparison): string | null {
    if (look.isEverywhere(name)) return 'all other releases fail as well';
    if (to === null) return 'no earlier release could serve instead';
    const { by, action } = map.ops.since[name] ?? {};
    // Two releases in a row that fail have a common cause, and a third would fail too.
    return by === WATCHER && action === 'rollback' ? 'it is live since the watcher rolled another release back' : null;
  }

  /** Reports each reason why the watcher could not act once to ops. */
  private alertOfFailure(comparison: Comparison, evidence: Evidence | null, error: unknown): Promise<Action | null> {
    const fault = evidence
      ? `${describe(comparison, evidence)}. It could not be rolled back`
      : 'it could not be raised';
    const why = `${fault}: ${messageOf(error)}`;
    // Reasons that differ in numbers only are the same.
    const reason = createHash('sha256').update(messageOf(error).replace(/\d+/g, '0')).digest('hex').slice(0, 16);
    return this.recordAlert(comparison, `cannot:${reason}`, why, evidence ?? {});
  }

  private async rollBack(comparison: Comparison, evidence: Evidence): Promise<Action | null> {
    const { store, server } = this.options;
    const { name, version, kind, to } = comparison;
    const why = describe(comparison, evidence);
    const author: Author = { by: WATCHER, why };
    // The map may have changed since it was read.
    const map = await store.readMap();
    const judged = (kind === 'canary' ? canaryEntry : liveEntry)(map, name);
    if (judged?.metadata.version !== version) return null;
    const target = kind === 'canary' ? undefined : (to ?? undefined);
    const change = await rollback(store, { ...author, server, name, to: target, from: version, freeze: true });
    // Another server was first, and reports it.
    if (change.outcome === 'already') return null;
    return this.recordAction(
      change.map.rev,
      { kind: kind === 'canary' ? 'canary-back' : 'rollback', name, version, why },
      { to, frozen: true, warnings: change.warnings, ...evidence },
    );
  }

  private async advance(comparison: Comparison): Promise<Action | null> {
    const { store, server } = this.options;
    const { name, version, traffic, to, fresh, before, seconds } = comparison;
    const tallies = { fresh: fresh.counted.all, before: before.counted.all };
    const shown = (tally: { visits: number; failures: number }) => `${tally.failures} of ${tally.visits} visits failed`;
    const why = `healthy with ${traffic} % for ${Math.round(seconds / 60)} minutes: ${shown(tallies.fresh)}${to === null ? '' : `, ${shown(tallies.before)} with ${to}`}`;
    const change = await advanceCanary(store, { by: WATCHER, why, server, name, version, traffic });
    const evidence = {
      from: traffic,
      to: change.traffic,
      ...tallies,
      seconds: Math.round(seconds),
      steps: comparison.steps,
    };
    return this.recordAction(change.map.rev, { kind: 'canary-step', name, version, why }, evidence);
  }

  private async tryOut(comparison: Comparison): Promise<Action[]> {
    const bad = (comparison.steps ?? []).filter(({ rule, verdict }) => rule.dryRun && verdict === 'bad');
    const alerts = await Promise.all(
      bad.map((step) =>
        this.alert(comparison, stepEvidence(comparison, step), 'would have been rolled back (dry run): '),
      ),
    );
    return alerts.filter((action) => action !== null);
  }

  private async alert(comparison: Comparison, evidence: Evidence, reason = ''): Promise<Action | null> {
    const path = evidence.step ? `:${pathOf(evidence.step.rule)}` : '';
    const why = `${reason}${describe(comparison, evidence)}`;
    return this.recordAlert(comparison, `${evidence.group}:${evidence.test}${path}`, why, evidence);
  }

  private recordAlert(
    { name, version, traffic, since }: Comparison,
    about: string,
    why: string,
    evidence: object,
  ): Promise<Action | null> {
    const id = `alert:${name}@${version}:${traffic}:${since}:${about}`;
    return this.record(id, { kind: 'alert', name, version, why }, evidence);
  }

  private async recordAction(rev: number, action: Action, evidence: object): Promise<Action> {
    // The change is made. A later look records it from the history.
    await this.record(String(rev), action, evidence).catch((error: unknown) =>
      this.options.log(`${action.kind} of ${action.name}@${action.version} is not recorded: ${messageOf(error)}`),
    );
    return action;
  }

  /** Resolves to null if the event was recorded already. */
  private async record(id: string, action: Action, evidence: object): Promise<Action | null> {
    const { health, webhooks, log } = this.options;
    const event = { id: `${CHANNEL}:${id}`, who: WATCHER, channel: CHANNEL, ...action, evidence };
    if (!(await recordEvent(health, event, webhooks))) return null;
    log(`${action.kind} of ${action.name}@${action.version}: ${action.why}`);
    return action;
  }
}
