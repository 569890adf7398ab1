import {
  canaryInMap,
  emptyMap,
  freezeInMap,
  promoteInMap,
  type ReleaseManifest,
  type ReleaseMap,
} from '@platform/releases';
import { manifestOf } from '@platform/releases/testing';
import { HealthCounts } from './health-counts';
import type { HealthEvent } from './health-event';
import { CHINESE } from './testing/health-fixture';

const by = { by: 'ann', at: '2026-01-01T00:00:00Z' };
const manifest = (text: string) => manifestOf({ name: 'catalog', text });
const versionOf = (text: string) => manifest(text).version;

function shop(): ReleaseMap {
  let map = promoteInMap(emptyMap(), manifest('one'), null, by);
  map = promoteInMap(map, manifest('two'), manifest('one'), by);
  map = promoteInMap(map, manifest('three'), manifest('two'), by);
  map = canaryInMap(map, manifest('four'), manifest('three'), 10, by, { steps: [10, 40, 100], minutes: 10 });
  return freezeInMap(map, 'catalog', versionOf('one'), { ...by, why: 'bad' });
}
const labels = (text: string, role: string) => `name="catalog",version="${versionOf(text)}",role="${role}"`;

it('release metrics contain visits, failures and vitals of the live release, its canary and the previous one, and no others', () => {
  const counts = new HealthCounts('a-secret-for-tests');
  let network = 0;
  const add = (release: string, events: Array<Partial<HealthEvent>>) => {
    network += 1;
    const visit = String(network).padStart(16, '0');
    for (const event of events)
      counts.add(
        { name: 'catalog', version: versionOf(release), visit, kind: 'visit', ...event },
        { network: `${network}`, context: CHINESE, traffic: 0 },
      );
  };
  add('one', [{}]);
  add('two', [{}]);
  add('three', [{}, { kind: 'error' }, { kind: 'slow' }, { kind: 'refused' }]);
  add('three', [{}, { kind: 'vital', metric: 'LCP', value: 2400 }, { kind: 'vital', metric: 'CLS', value: 0.02 }]);
  add('four', [{ kind: 'render' }, { kind: 'vital', metric: 'INP', value: 90_000 }]);
  const lines = counts.metrics.lines('shop', shop());
  expect(lines.filter((line) => /^shop_release_(visits|traffic)/.test(line))).toEqual([
    `shop_release_traffic_percent{${labels('three', 'live')}} 90`,
    `shop_release_traffic_percent{${labels('four', 'canary')}} 10`,
    `shop_release_traffic_percent{${labels('two', 'previous')}} 0`,
    `shop_release_visits_total{${labels('three', 'live')}} 2`,
    `shop_release_visits_total{${labels('four', 'canary')}} 1`,
    `shop_release_visits_total{${labels('two', 'previous')}} 1`,
  ]);
  expect(lines.filter((line) => /failures_total\{.*[1-9]$/.test(line))).toEqual([
    `shop_release_failures_total{${labels('three', 'live')},kind="error"} 1`,
    `shop_release_failures_total{${labels('four', 'canary')},kind="render"} 1`,
  ]);
  expect(lines).toContain(`shop_release_refused_total{${labels('three', 'live')}} 1`);
  expect(lines).toContain(`shop_release_refused_total{${labels('four', 'canary')}} 0`);
  const lcp = `shop_release_lcp_seconds_bucket{${labels('three', 'live')}`;
  expect(lines).toEqual(
    expect.arrayContaining([
      `${lcp},le="2"} 0`,
      `${lcp},le="2.5"} 1`,
      `${lcp},le="+Inf"} 1`,
      `shop_release_lcp_seconds_sum{${labels('three', 'live')}} 2.4`,
      `shop_release_lcp_seconds_count{${labels('three', 'live')}} 1`,
      `shop_release_cls_bucket{${labels('three', 'live')},le="0.025"} 1`,
      `shop_release_inp_seconds_bucket{${labels('four', 'canary')},le="2"} 0`,
      `shop_release_inp_seconds_bucket{${labels('four', 'canary')},le="+Inf"} 1`,
      `shop_release_canary_next_percent{name="catalog",version="${versionOf('four')}"} 40`,
      'shop_release_freezes{name="catalog"} 1',
      'shop_release_rendering_off{name="catalog"} 0',
      'shop_release_map_revision 5',
      'shop_release_map_changed_timestamp_seconds 1767225600',
    ]),
  );
  expect(lines.join('\n')).not.toContain(versionOf('one'));
});

it('release metrics have as many series after a hundred releases as after two', () => {
  const counts = new HealthCounts('a-secret-for-tests');
  let map = emptyMap();
  let before: ReleaseManifest | null = null;
  const sizes: number[] = [];
  for (let index = 0; index < 100; index += 1) {
    const next = manifestOf({ name: 'catalog', text: String(index) });
    map = promoteInMap(map, next, before, by);
    before = next;
    const reporter = { network: `${index}`, context: CHINESE, traffic: 100 };
    const visit = String(index).padStart(16, '0');
    counts.add({ name: 'catalog', version: next.version, visit, kind: 'error' }, reporter);
    sizes.push(counts.metrics.lines('shop', map).length);
  }
  expect(new Set(sizes.slice(1)).size).toBe(1);
});
