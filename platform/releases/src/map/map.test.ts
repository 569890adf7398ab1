import { type ReleaseMap, selectEntry } from '../contract';
import { manifestOf } from '../testing/fixture';
import {
  abandonInMap,
  canaryEntry,
  canaryInMap,
  canaryPlan,
  emptyMap,
  fallbackAfterRollback,
  freezeInMap,
  isRenderingOff,
  liveEntry,
  liveVersion,
  nextStep,
  previewInMap,
  promoteInMap,
  promoteTogetherInMap,
  refuseOtherCanary,
  renderingOffInMap,
  renderingOnInMap,
  restoreInMap,
  rollbackInMap,
  rollbackTarget,
  toPageMap,
  toPublicMap,
  unfreezeInMap,
  versionsInMap,
} from './';

const by = { by: 'ann', why: 'because' };
const one = manifestOf({ text: 'one' });
const two = manifestOf({ text: 'two' });
const three = manifestOf({ text: 'three' });
const byVersion = new Map([one, two, three].map((manifest) => [manifest.version, manifest]));

function promoted(...manifests: Array<typeof one>): ReleaseMap {
  return manifests.reduce<ReleaseMap>((map, manifest) => {
    const current = byVersion.get(liveVersion(map, manifest.name) ?? '') ?? null;
    return promoteInMap(map, manifest, current, by);
  }, emptyMap());
}

function rolledBack(map: ReleaseMap): ReleaseMap {
  const target = byVersion.get(rollbackTarget(map, 'catalog') ?? '');
  if (!target) throw new Error('no target');
  const before = byVersion.get(fallbackAfterRollback(map, 'catalog', target.version) ?? '') ?? null;
  return rollbackInMap(map, target, before, by);
}

it('a promote raises the revision and records its author, reason, and both versions', () => {
  expect(emptyMap().changed).toMatchObject({ action: 'create', name: '*' });
  const map = promoted(one, two);
  expect(map.rev).toBe(2);
  expect(map.changed).toMatchObject({
    by: 'ann',
    why: 'because',
    action: 'promote',
    name: 'catalog',
    from: one.version,
    to: two.version,
  });
});

it('a promote keeps the previous release as a fallback with all fields that a browser needs', () => {
  const entry = liveEntry(promoted(one, two), 'catalog');
  const { version, exposes } = one;
  expect(entry?.extras.fallback).toMatchObject({ version, entry: 'remoteEntry.js', exposes });
  expect(entry?.extras.fallback?.integrity['remoteEntry.js']).toMatch(/^sha384-/);
});

it('a map entry contains the hashes of exactly the scripts and styles for browsers', () => {
  const manifest = manifestOf({ more: { 'server/page.js': '', 'notes.js.txt': '' } });
  const entry = liveEntry(promoted(manifest), 'catalog');
  expect(Object.keys(entry?.extras.integrity ?? {})).toEqual(
    Object.keys(one.files)
      .filter((file) => /\.(js|css)$/.test(file))
      .sort(),
  );
  expect(entry).toMatchObject({
    metadata: { version: manifest.version },
    deployment: { traffic: 100, default: true },
  });
});

it('a promote does not modify its input map', () => {
  const map = promoted(one);
  const before = structuredClone(map);
  promoteInMap(map, two, one, by);
  expect(map).toEqual(before);
});

it('a map remembers twenty earlier versions of a name, each once', () => {
  const versions = Array.from({ length: 23 }, (_, index) => manifestOf({ text: `number ${index}` }));
  const trail = (map: ReleaseMap) => map.ops.trail.catalog;
  expect(trail(promoted(...versions))).toEqual(versions.slice(2, 22).map(({ version }) => version));
  expect(trail(promoted(one, two, one, two))).toEqual([one.version]);
  expect([...versionsInMap(promoted(one, two), 'catalog')]).toEqual([two.version, one.version]);
  expect([...versionsInMap(promoted(one), 'catalog')]).toEqual([one.version]);
  expect([...versionsInMap(promoted(one), 'orders')]).toEqual([]);
  expect(trail(promoted(one))).toBeUndefined();
});

it('a map entry contains the contract of the fallback if it differs', () => {
  const entry = (current: typeof one) => liveEntry(promoteInMap(promoted(current), two, current, by), 'catalog');
  expect(entry(one)?.extras.fallback).not.toHaveProperty('remote');
  const other = manifestOf({ routes: one.remote?.routes.slice(1) });
  expect(entry(other)?.extras.fallback?.remote).toEqual(other.remote);
  expect(liveEntry(promoteInMap(promoted(one), two, two, by), 'catalog')?.extras.fallback).toBeNull();
});

it('a change refuses a reason with control characters, which a terminal would obey', () => {
  expect(() => promoteInMap(promoted(one), two, one, { by: 'ann', why: 'fine\x1b[2J' })).toThrow(/control characters/);
});

it('a promote of several releases is one revision, without fallbacks, for those that are not live yet', () => {
  const orders = manifestOf({ name: 'orders' });
  const map = promoteTogetherInMap(promoted(one, manifestOf({ name: 'content' })), [one, two, orders], by);
  expect(map.rev).toBe(3);
  expect(map.changed).toMatchObject({
    name: '*',
    from: `catalog@${one.version} orders@none`,
    to: `catalog@${two.version} orders@${orders.version}`,
  });
  expect(liveEntry(map, 'catalog')?.extras.fallback).toBeNull();
  expect(() => promoteTogetherInMap(map, [two, orders], by)).toThrow(/already live/);
});

it('rollbacks go back through earlier live releases, each with the one before as fallback, and never forward', () => {
  const once = rolledBack(promoted(one, two, three));
  expect(liveVersion(once, 'catalog')).toBe(two.version);
  expect(liveEntry(once, 'catalog')?.extras.fallback?.version).toBe(one.version);
  const twice = rolledBack(once);
  expect(liveVersion(twice, 'catalog')).toBe(one.version);
  expect(rollbackTarget(twice, 'catalog')).toBeNull();
  expect(toPublicMap(twice).withdrawn).toEqual({ catalog: [three.version, two.version] });
});

it('a rollback without a target fails at the first release, and continues from a named target', () => {
  const first = promoted(one);
  expect(rollbackTarget(first, 'catalog')).toBeNull();
  expect(fallbackAfterRollback(first, 'catalog', one.version)).toBeNull();
  const named = rollbackInMap(promoted(one, two), three, null, by);
  expect(named.ops.trail.catalog).toEqual([one.version]);
  expect(rollbackInMap(first, two, null, by).ops.trail.catalog).toEqual([]);
});

it('a rollback skips a frozen version and is refused to one, but works while the whole name is frozen', () => {
  const live = promoted(one, two, three);
  expect(rollbackTarget(freezeInMap(live, 'catalog', two.version, by), 'catalog')).toBe(one.version);
  expect(liveVersion(rolledBack(freezeInMap(live, 'catalog', null, by)), 'catalog')).toBe(two.version);
  const map = freezeInMap(live, 'catalog', one.version, { by: 'bob', why: 'loses orders' });
  expect(() => rollbackInMap(map, one, null, by)).toThrow(/frozen by bob.*loses orders/);
  expect(liveVersion(rollbackInMap(map, two, null, by), 'catalog')).toBe(two.version);
  expect(() => rollbackInMap(freezeInMap(map, 'catalog', null, by), one, null, by)).toThrow(/frozen by bob/);
});

it('a rollback is refused if the target is live or if no release is live', () => {
  expect(() => rollbackInMap(promoted(one), one, null, by)).toThrow(/already live/);
  expect(() => rollbackInMap(emptyMap(), one, null, by)).toThrow(/no release of catalog is live/);
});

it('a restore makes the whole map of a revision a new revision', () => {
  const first = promoted(one);
  const now = promoteInMap(first, two, one, by);
  const restored = restoreInMap(now, first, by);
  expect(restored.rev).toBe(3);
  expect(liveVersion(restored, 'catalog')).toBe(one.version);
  expect(restored.changed).toMatchObject({ action: 'restore', from: '2', to: '1' });
});

it('a restore keeps the date of a release that stays live', () => {
  const first = promoteInMap(promoted(one), manifestOf({ name: 'orders' }), null, { by: 'olga', at: '2026-01-01' });
  const restored = restoreInMap(promoteInMap(first, two, one, by), first, { by: 'bob', at: '2026-02-02' });
  expect(restored.ops.since).toEqual({
    catalog: { at: '2026-02-02', by: 'bob', action: 'restore' },
    orders: { at: '2026-01-01', by: 'olga', action: 'promote' },
  });
  expect(restored.ops.withdrawn).toEqual({ catalog: [two.version] });
});

it('a restore removes the names that were added since', () => {
  const orders = manifestOf({ name: 'orders' });
  const restored = restoreInMap(promoted(one, orders), promoted(one), by);
  expect(restored.microFrontends).toEqual(promoted(one).microFrontends);
  expect(restored.ops.trail).toEqual({});
  expect(Object.keys(restored.ops.since)).toEqual(['catalog']);
  expect(restored.ops.withdrawn).toEqual({ orders: [orders.version] });
});

describe('canary', () => {
  let map: ReleaseMap;
  beforeEach(() => {
    map = canaryInMap(promoted(one), two, one, 10, by);
  });

  it('a canary splits the traffic and leaves the live release the default', () => {
    expect(liveEntry(map, 'catalog')).toMatchObject({
      metadata: { version: one.version },
      deployment: { traffic: 90, default: true },
    });
    expect(canaryEntry(map, 'catalog')).toMatchObject({
      metadata: { version: two.version },
      deployment: { traffic: 10, default: false },
    });
  });

  it('a canary gets its share of 10,000 visitors within a point and keeps them when raised', () => {
    const more = canaryInMap(map, two, one, 30, by);
    let small = 0;
    const lost: number[] = [];
    for (let visitor = 0; visitor < 10_000; visitor += 1) {
      const number = ((visitor * 0.618034) % 1) * 100;
      const inSmall = selectEntry(map.microFrontends.catalog, number)?.metadata.version === two.version;
      const inMore = selectEntry(more.microFrontends.catalog, number)?.metadata.version === two.version;
      if (inSmall) small += 1;
      if (inSmall && !inMore) lost.push(number);
    }
    expect(lost).toEqual([]);
    expect(small / 100).toBeGreaterThan(9);
    expect(small / 100).toBeLessThan(11);
  });

  it('a visitor without a number gets the default release', () => {
    for (const visitor of [undefined, null, Number.NaN, -1]) {
      expect(selectEntry(map.microFrontends.catalog, visitor)?.metadata.version).toBe(one.version);
    }
  });

  it('a canary ends with a promote or an abandon', () => {
    expect(promoteInMap(map, two, one, by).microFrontends.catalog).toHaveLength(1);
    const abandoned = abandonInMap(map, 'catalog', by);
    expect(abandoned.microFrontends.catalog).toHaveLength(1);
    expect(liveEntry(abandoned, 'catalog')?.deployment).toEqual({ traffic: 100, default: true });
  });

  it('a canary keeps its plan until its share is changed, and forgets it when it ends', () => {
    const plan = canaryPlan([10, 50]);
    expect(plan).toEqual({ steps: [10, 50, 100], minutes: 10 });
    const planned = canaryInMap(promoted(one), two, one, 10, by, plan);
    expect(planned.ops.plans).toEqual({ catalog: plan });
    expect([nextStep(plan, 10), nextStep(plan, 20), nextStep(plan, 50)]).toEqual([50, 50, 100]);
    for (const next of [
      canaryInMap(planned, two, one, 30, by),
      promoteInMap(planned, two, one, by),
      abandonInMap(planned, 'catalog', by),
      restoreInMap(promoted(one), planned, by),
    ])
      expect(next.ops.plans).toBeUndefined();
  });

  it('a canary of the first release of a name is invisible to the other visitors, and an abandon removes the name', () => {
    const before = promoted(one);
    const gifts = manifestOf({ name: 'gifts' });
    const started = canaryInMap(before, gifts, null, 10, by, canaryPlan([10, 50]));
    expect(liveVersion(started, 'gifts')).toBeNull();
    const versionFor = (map: ReleaseMap, visitor: number | null) =>
      selectEntry(toPublicMap(map).microFrontends.gifts, visitor)?.metadata.version;
    expect(versionFor(started, 9.99)).toBe(gifts.version);
    for (const visitor of [10, null]) expect(versionFor(started, visitor)).toBeUndefined();
    expect(versionFor(canaryInMap(started, gifts, null, 50, by), 49)).toBe(gifts.version);
    const liveForAll = promoteInMap(started, gifts, null, by);
    expect(liveForAll.microFrontends.gifts).toMatchObject([{ deployment: { traffic: 100, default: true } }]);
    const abandoned = abandonInMap(started, 'gifts', by);
    expect(abandoned.microFrontends).toEqual(before.microFrontends);
    expect(abandoned.changed).toMatchObject({ action: 'abandon', from: gifts.version, to: null });
    expect(toPublicMap(abandoned).withdrawn).toEqual({ gifts: [gifts.version] });
    expect(restoreInMap(started, liveForAll, by).ops.withdrawn).toBeUndefined();
    expect(restoreInMap(abandoned, started, by).ops.since).toHaveProperty('catalog');
    expect(restoreInMap(abandoned, started, by).ops.since).not.toHaveProperty('gifts');
  });

  it('a canary records its share, the replaced version and its author', () => {
    expect(map.changed).toMatchObject({ from: one.version, to: two.version, why: '10 % of the visitors: because' });
    const raised = canaryInMap(map, two, one, 30, { by: 'bob' }).changed;
    expect(raised).toMatchObject({ from: two.version, why: '30 % of the visitors' });
    expect(canaryInMap(map, three, one, 30, by).changed.from).toBe(one.version);
    expect(canaryPlan([50]).steps).toEqual([50, 100]);
    expect(canaryPlan([10, 50, 100]).steps).toEqual([10, 50, 100]);
    expect(() => abandonInMap(promoted(one), 'catalog', by)).toThrow(/no canary/);
    expect(() => canaryInMap(map, one, one, 10, by)).toThrow(/already live/);
    expect(() => canaryInMap(freezeInMap(map, 'catalog', null, by), two, one, 30, by)).toThrow(/frozen/);
  });

  it('a canary is replaced by another release of the same role only, also after its share was changed', () => {
    const squad = { by: 'catalog CI', role: 'squad' };
    const refuse =
      (running: ReleaseMap, role: string | undefined, version = three.version) =>
      () =>
        refuseOtherCanary(running, 'catalog', version, { by: 'ann', role });
    const started = canaryInMap(promoted(one), two, one, 10, squad, canaryPlan([10, 50]));
    expect(refuse(started, 'squad')).not.toThrow();
    for (const role of ['ops', 'platform', undefined])
      expect(refuse(started, role)).toThrow(/has 10 % of the visitors by squad/);
    expect(refuse(started, 'ops', two.version)).not.toThrow();
    const raisedByOps = canaryInMap(started, two, one, 30, { by: 'ann', role: 'ops' });
    expect(refuse(raisedByOps, 'squad')).toThrow(/has 30 % of the visitors by ops/);
    expect(refuse(raisedByOps, 'ops')).not.toThrow();
    for (const ended of [abandonInMap(started, 'catalog', squad), promoteInMap(started, three, one, squad)])
      expect(ended.ops).not.toHaveProperty('canaryRoles');
    expect(refuse(restoreInMap(promoted(one), started, squad), 'squad')).toThrow(/has 10 %/);
  });

  it('a canary of the first shell is refused, because the other visitors would see nothing', () => {
    const shell = manifestOf({ name: 'shell' });
    expect(() => canaryInMap(emptyMap(), shell, null, 10, by)).toThrow(/would see nothing/);
  });

  it.each([[[]], [[100]], [[50, 10]], [[0, 10]], [[10, 120]], [[Number.NaN]]])(
    'canaryPlan refuses the steps %j',
    (steps) => {
      expect(() => canaryPlan(steps)).toThrow(/rise from above 0 to 100/);
    },
  );

  it.each([0, 100, -1, Number.NaN])('a canary refuses a share of %p', (traffic) => {
    expect(() => canaryInMap(promoted(one), two, one, traffic, by)).toThrow(/per cent/);
  });
});

it('a freeze stops promotes of the version with the reason until it ends', () => {
  const frozen = freezeInMap(promoted(one), 'catalog', two.version, { by: 'watcher', why: 'errors' });
  expect(() => promoteInMap(frozen, two, one, by)).toThrow(
    `catalog@${two.version} is frozen by watcher since ${frozen.changed.at}: errors`,
  );
  expect(() => promoteInMap(freezeInMap(frozen, 'catalog', null, by), three, one, by)).toThrow(/^catalog is frozen/);
  expect(liveVersion(promoteInMap(frozen, three, one, by), 'catalog')).toBe(three.version);
  const free = unfreezeInMap(frozen, 'catalog', two.version, by);
  expect(liveVersion(promoteInMap(free, two, one, by), 'catalog')).toBe(two.version);
});

it('the public map contains no names, no reasons and nothing that only the gate reads', () => {
  const map = freezeInMap(promoted(one, two), 'catalog', one.version, { by: 'secret-person', why: 'secret-reason' });
  const shown = JSON.stringify(toPublicMap(map));
  expect(shown).not.toMatch(/secret-|"by"|because|singletons|trail/);
  expect(toPublicMap(map)).toMatchObject({ channel: 'production', rev: 3 });
});

it('the public map contains the contract of a remote and of its fallback', () => {
  const [home] = one.remote?.routes ?? [];
  const before = { ...one, remote: { ...one.remote, routes: home && [home] } } as typeof one;
  const extrasOf = (map: ReleaseMap) => toPublicMap(map).microFrontends.catalog?.[0]?.extras;
  const first = promoteInMap(emptyMap(), before, null, by);
  expect(extrasOf(first)).toMatchObject({ remote: { name: 'catalog', routes: [home] } });
  const second = promoteInMap(first, two, before, by);
  const fallback = { version: one.version, entry: 'remoteEntry.js', remote: { name: 'catalog', routes: [home] } };
  expect(extrasOf(second)).toMatchObject({ remote: two.remote, fallback });
  const shell = promoteInMap(emptyMap(), manifestOf({ name: 'shell' }), null, by);
  expect(toPublicMap(shell).microFrontends.shell?.[0]?.extras).not.toHaveProperty('remote');
});

const reasons = (map: ReleaseMap) => map.ops.frozen.catalog?.map(({ version, why }) => [version, why]);
const frozenTwice = () => freezeInMap(freezeInMap(promoted(one), 'catalog', null, by), 'catalog', two.version, by);

it('a freeze of one version and one of the name are independent, and the last reason counts', () => {
  const twice = frozenTwice();
  expect(reasons(freezeInMap(twice, 'catalog', null, { by: 'bob', why: 'worse' }))).toEqual([
    [two.version, 'because'],
    [null, 'worse'],
  ]);
  const unfrozen = unfreezeInMap(twice, 'catalog', two.version, by);
  expect(reasons(unfrozen)).toEqual([[null, 'because']]);
  expect(unfrozen.changed).toMatchObject({ action: 'unfreeze', name: 'catalog', from: two.version, to: null });
  expect(twice.changed).toMatchObject({ action: 'freeze', name: 'catalog', from: null, to: two.version });
});

it('unfreeze is refused if there is no such freeze', () => {
  expect(() => unfreezeInMap(frozenTwice(), 'catalog', one.version, by)).toThrow(`@${one.version} is not frozen`);
  expect(() => unfreezeInMap(promoted(one), 'catalog', null, by)).toThrow('catalog is not frozen');
});

it('render-off stops rendering of a name, or of all by the shell, until render-on', () => {
  const live = promoted(one, manifestOf({ name: 'shell' }));
  const off = renderingOffInMap(live, 'catalog', { by: 'ann', why: 'prices', at: '2026-01-01' });
  expect(off.ops.renderingOff).toEqual({ catalog: { at: '2026-01-01', by: 'ann', why: 'prices' } });
  expect(off.changed).toMatchObject({ action: 'render-off', name: 'catalog' });
  expect(isRenderingOff(live, 'catalog')).toBe(false);
  expect(() => renderingOnInMap(live, 'catalog', by)).toThrow(/catalog is not off/);
  expect(() => renderingOffInMap(live, 'orders', by)).toThrow('no release of orders is live');
  const both = renderingOffInMap(off, 'shell', by);
  const names = ['catalog', 'orders'];
  expect(names.map((name) => isRenderingOff(off, name))).toEqual([true, false]);
  expect(names.map((name) => isRenderingOff(both, name))).toEqual([true, true]);
  const again = renderingOnInMap(both, 'shell', by);
  expect(again.ops.renderingOff).toEqual(off.ops.renderingOff);
  expect(again.changed).toMatchObject({ action: 'render-on', name: 'shell', why: 'because' });
  expect(renderingOnInMap(off, 'catalog', by).ops).not.toHaveProperty('renderingOff');
  expect(() => renderingOnInMap(off, 'orders', by)).toThrow(/orders is not off/);
});

it('a preview changes one document, and no newer map replaces it', () => {
  const live = promoted(one);
  const map = previewInMap(live, two, one);
  expect(liveVersion(map, 'catalog')).toBe(two.version);
  expect(toPageMap(map)).toMatchObject({ preview: { name: 'catalog', version: two.version } });
  expect(map.rev).toBeGreaterThan(1e9);
  expect(liveVersion(live, 'catalog')).toBe(one.version);
});

describe('map of a document', () => {
  const shell = { ...manifestOf({ name: 'shell' }), container: 'shopShell' };
  const route = { ...(one.remote?.routes[0] as object), firstCalls: ['GET home'], kind: 'home', description: {} };
  const before = {
    ...one,
    container: 'old',
    remote: { ...one.remote, canary: {}, steps: [], routes: [route] },
  } as unknown as typeof one;
  let started: ReleaseMap;
  let map: ReleaseMap;
  beforeEach(() => {
    started = promoteInMap(promoteInMap(emptyMap(), shell, null, by), before, null, by);
    map = promoteInMap(promoteInMap(started, two, before, by), manifestOf({ name: 'shell', text: 'b' }), shell, by);
  });
  const extrasOf = (shown: ReleaseMap, name: string) => toPageMap(shown).microFrontends[name]?.[0]?.extras;

  it('the map of a document contains the parts of a remote and its fallback that the shell routes and runs', () => {
    expect(extrasOf(map, 'catalog')).toEqual({
      base: `/r/catalog/${two.version}/`,
      entry: 'remoteEntry.js',
      integrity: { 'remoteEntry.js': two.files['remoteEntry.js']?.integrity },
      fallback: {
        version: one.version,
        base: `/r/catalog/${one.version}/`,
        entry: 'remoteEntry.js',
        integrity: { 'remoteEntry.js': one.files['remoteEntry.js']?.integrity },
        container: 'old',
        remote: { ...one.remote, routes: [{ ...one.remote?.routes[0], module: '' }] },
      },
      remote: { ...two.remote, routes: two.remote?.routes.map((one) => ({ ...one, module: '' })) },
    });
    expect(extrasOf(promoted(one), 'catalog')).not.toHaveProperty('fallback');
  });

  it('the map of a document contains no hashes and no fallback of the shell, which the document loads', () => {
    expect(Object.keys(extrasOf(map, 'shell') ?? {})).toEqual(['base', 'entry']);
    expect(extrasOf(started, 'shell')).toHaveProperty('container', 'shopShell');
    expect(toPageMap(map)).not.toHaveProperty('preview');
  });
});

const withdrawn = (map: ReleaseMap) => toPublicMap(map).withdrawn;

it('the public map lists a rolled back version as withdrawn until it is live again, for tabs that were asleep', () => {
  const map = rolledBack(promoted(one, two));
  expect(withdrawn(promoted(one, two))).toBeUndefined();
  expect(withdrawn(map)).toEqual({ catalog: [two.version] });
  expect(withdrawn(promoteInMap(map, three, one, by))).toEqual({ catalog: [two.version] });
  const again = promoteInMap(map, two, one, by);
  expect(withdrawn(again)).toBeUndefined();
  expect(withdrawn(promoteInMap(again, three, two, by))).toBeUndefined();
});

it('the public map lists the last twenty withdrawn versions', () => {
  const versions = Array.from({ length: 22 }, (_, index) => manifestOf({ text: `canary ${index}` }));
  const map = versions.reduce(
    (before, canary) => abandonInMap(canaryInMap(before, canary, one, 10, by), 'catalog', by),
    promoted(one),
  );
  expect(map.ops.withdrawn?.catalog).toEqual(versions.slice(2).map(({ version }) => version));
});

it('a canary that was rolled back or abandoned is withdrawn, but not one that went live', () => {
  const map = canaryInMap(promoted(one, two), three, two, 10, by);
  expect(withdrawn(abandonInMap(map, 'catalog', by))).toEqual({ catalog: [three.version] });
  expect(withdrawn(rollbackInMap(map, one, null, by))).toEqual({ catalog: [two.version, three.version] });
  expect(withdrawn(promoteInMap(map, three, two, by))).toBeUndefined();
});

it('withdrawn versions follow a restore of an earlier revision in both directions', () => {
  const [first, second] = [promoted(one), promoted(one, two)];
  const back = restoreInMap(second, first, by);
  expect(withdrawn(back)).toEqual({ catalog: [two.version] });
  expect(withdrawn(restoreInMap(back, second, by))).toEqual({ catalog: [one.version] });
});

it('a frozen version is withdrawn as soon as it is not live any more', () => {
  const frozen = freezeInMap(promoted(one, two), 'catalog', two.version, by);
  expect(withdrawn(frozen)).toBeUndefined();
  expect(withdrawn(promoteInMap(frozen, three, two, by))).toEqual({ catalog: [two.version] });
  expect(withdrawn(freezeInMap(promoted(one, two), 'catalog', null, by))).toBeUndefined();
});
