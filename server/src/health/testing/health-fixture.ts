import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveVersion, mapSource, openStore, type PromoteOptions, promote, type Store } from '@platform/releases';
import { publishSample, type Sample } from '@platform/releases/testing';
import type { HealthKind, VisitContext, WatcherOptions } from '@platform/watch';
import { HealthCounts, Watcher } from '@platform/watch';
import type { TestApp } from '../../../test/support/test-app';
import { healthStore } from '../health-store';

export const CHINESE: VisitContext = { language: 'zh-CN', device: 'phone', signedIn: false };

interface Crowd {
  name?: string;
  version: string;
  visits: number;
  failures?: number;
  networks?: number;
  from?: number;
  context?: Partial<VisitContext>;
  kind?: HealthKind;
}

export const addressOf = (from: number, index: number) => `${from}.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

export class HealthFixture {
  readonly webhooks = { urls: ['https://ops.example/hook'], secret: 'x'.repeat(32) };
  private nextNetwork = 0;

  private constructor(
    readonly testApp: TestApp,
    readonly store: Store,
    readonly one: string,
    readonly two: string,
  ) {}

  static async open(testApp: TestApp, remote: Omit<Sample, 'text'> = {}): Promise<HealthFixture> {
    await testApp.db.script(
      'truncate release_periods, release_minutes, release_votes, release_vitals, release_errors, release_visits, release_steps, release_webhooks, release_events, release_changes_told',
    );
    const store = openStore({ place: await mkdtemp(join(tmpdir(), 'shop-health-')) });
    const first = await publishSample(store, { ...remote, text: 'one' });
    await promote(store, { by: 'ann', name: 'catalog' });
    const second = await publishSample(store, { ...remote, text: 'two' });
    return new HealthFixture(testApp, store, first, second);
  }

  get db() {
    return this.testApp.db;
  }
  get health() {
    return healthStore(this.db);
  }
  /** Their clock stands still, so a network has one minute's budget however long the test takes. */
  counts = () => {
    const now = performance.now();
    return new HealthCounts(this.testApp.context.config.secret, () => now);
  };

  server = (options: Partial<WatcherOptions> = {}) => {
    const { store, health, webhooks } = this;
    return new Watcher({ store, source: mapSource(store, 'production'), health, webhooks, ...options });
  };
  look = () => this.server().look();

  promote = (options: Partial<PromoteOptions> = {}) => promote(this.store, { by: 'ann', name: 'catalog', ...options });
  live = async (name = 'catalog') => liveVersion(await this.store.readMap('production'), name);

  async report(...crowds: Crowd[]): Promise<void> {
    const map = await this.store.readMap('production');
    const counts = this.counts();
    for (const {
      name = 'catalog',
      version,
      visits,
      failures = 0,
      networks,
      from = 66,
      context,
      kind = 'error',
    } of crowds) {
      const entry = map.microFrontends[name]?.find(({ metadata }) => metadata.version === version);
      const first = networks ? 0 : this.nextNetwork;
      if (!networks) this.nextNetwork += visits;
      for (let index = 0; index < visits; index += 1) {
        const reporter = {
          network: addressOf(networks ? from : 10, first + (index % (networks ?? visits))),
          context: { ...CHINESE, ...context },
          traffic: entry?.deployment.traffic ?? 0,
        };
        const visit = randomBytes(8).toString('hex');
        counts.add({ name, version, visit, kind: 'visit' }, reporter);
        const failed = Math.floor(((index + 1) * failures) / visits) > Math.floor((index * failures) / visits);
        if (failed) counts.add({ name, version, visit, kind }, reporter);
      }
    }
    await counts.flush(this.health);
  }

  async pass(minutes: number): Promise<void> {
    const by = `interval '${minutes} minutes'`;
    await this.db.script(`
      update release_periods set since = since - ${by};
      update release_votes set at = at - ${by};
      update release_minutes set minute = minute - ${by} - interval '1 year';
      update release_minutes set minute = minute + interval '1 year'`);
  }

  async goLive(options: Partial<PromoteOptions> = {}, visitsAMinute = 40): Promise<void> {
    await this.look();
    for (let slice = 0; slice < 5; slice += 1) {
      await this.report({ version: this.one, visits: visitsAMinute, failures: Math.floor(visitsAMinute / 100) });
      await this.pass(1);
    }
    await this.promote(options);
    await this.look();
  }
}
