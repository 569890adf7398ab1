import { randomBytes } from 'node:crypto';
import { liveVersion, mapSource, openStore, type PromoteOptions, promote, type Store } from '@platform/releases';
import { publishLive, publishSample, type Sample, scratch } from '@platform/releases/testing';
import { HealthCounts } from '../health-counts';
import type { HealthKind, VisitContext } from '../health-event';
import type { HealthStore } from '../health-store';
import { Watcher, type WatcherOptions } from '../watcher';
import { memoryHealthStore } from './memory-health-store';

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

interface Health {
  health: HealthStore;
  /** Minutes that pass for the store. */
  pass(minutes: number): Promise<void>;
}

/** Two releases of a remote, the first of which is live, and reports of its visitors. */
export class HealthFixture {
  private nextNetwork = 0;

  private constructor(
    readonly health: HealthStore,
    readonly pass: Health['pass'],
    readonly store: Store,
    readonly one: string,
    readonly two: string,
  ) {}

  static async open({ health, pass }: Health, remote: Omit<Sample, 'text'> = {}): Promise<HealthFixture> {
    const store = openStore({ place: await scratch() });
    const one = await publishLive(store, { ...remote, text: 'one' });
    const two = await publishSample(store, { ...remote, text: 'two' });
    return new HealthFixture(health, pass, store, one, two);
  }

  static inMemory(remote?: Omit<Sample, 'text'>): Promise<HealthFixture> {
    let clock = Date.parse('2026-01-01T08:00:30Z');
    const pass = async (minutes: number) => {
      clock += minutes * 60_000;
    };
    return HealthFixture.open({ health: memoryHealthStore(() => clock), pass }, remote);
  }

  /** Their clock stands still, so a network has one minute's budget however long the test takes. */
  counts = () => new HealthCounts('a secret', () => 0);

  server = (options: Partial<WatcherOptions> = {}) => {
    const { store, health } = this;
    const webhooks = { urls: ['https://ops.example/hook'], secret: 'x'.repeat(32) };
    return new Watcher({ store, source: mapSource(store), health, webhooks, ...options });
  };
  look = () => this.server().look();

  promote = (options: Partial<PromoteOptions> = {}) => promote(this.store, { by: 'ann', name: 'catalog', ...options });
  live = async (name = 'catalog') => liveVersion(await this.store.readMap(), name);

  async report(...crowds: Crowd[]): Promise<void> {
    const map = await this.store.readMap();
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
