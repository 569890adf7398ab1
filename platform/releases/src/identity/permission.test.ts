import type { Identity } from './identity';
import { limitsOf, refusalOf, type Wanted } from './permission';

const identity = (given: Partial<Identity>): Identity => ({
  id: '',
  name: 'CI',
  kind: 'key',
  expiresAt: '',
  role: 'squad',
  remotes: ['catalog'],
  channels: ['preview'],
  maxTraffic: 25,
  ...given,
});
const promote = (more = {}): Wanted => ({ act: 'promote', name: 'catalog', ...more }) as Wanted;

test.each<[string, Partial<Identity>, Wanted, string | null, RegExp | null]>([
  ['ops may restore', { role: 'ops' }, { act: 'restore' } as Wanted, 'production', null],
  ['a viewer changes nothing', { role: 'viewer' }, promote(), 'preview', /change nothing/],
  ['keys are for ops', { role: 'platform' }, { act: 'manage keys' }, null, /for ops/],
  ['platform promotes any remote', { role: 'platform' }, promote({ name: 'orders' }), 'production', null],
  ['a squad promotes nothing together', {}, { act: 'promote-together' } as Wanted, 'preview', /several/],
  ['a squad has its remotes', {}, promote({ name: 'orders', traffic: 10 }), 'preview', /orders is not a remote/],
  ['a squad has its channels', {}, promote({ traffic: 10 }), 'production', /production is not a channel/],
  ['a squad publishes to no channel', {}, { act: 'publish', name: 'catalog' }, null, null],
  ['a squad skips no check', {}, promote({ traffic: 10, skip: ['size'] }), 'preview', /leaving out/],
  ['a squad may ask for no skip', {}, promote({ traffic: 10, skip: [] }), 'preview', null],
  ['a squad promotes up to its share', {}, promote({ traffic: 25 }), 'preview', null],
  ['a squad promotes not beyond its share', {}, promote({ traffic: 26 }), 'preview', /at most 25 %/],
  ['without a share given it is everybody', {}, promote(), 'preview', /at most 25 %/],
  ['a canary is raised within its limits', {}, promote({ canary: {} }), 'preview', null],
  ['a squad without a limit promotes for all', { maxTraffic: undefined }, promote(), 'preview', null],
  ['a rollback has no share', {}, { act: 'rollback', name: 'catalog' } as Wanted, 'preview', null],
])('%s', (_, given, wanted, channel, reason) => {
  const refusal = refusalOf(identity(given), wanted, channel);
  if (reason) expect(refusal).toMatch(reason);
  else expect(refusal).toBeNull();
});

test('only a squad has limits that depend on what is live', () => {
  expect(limitsOf(identity({}))).toEqual({ maxTraffic: 25, onlyEarlier: true });
  expect(limitsOf(identity({ role: 'ops' }))).toBeUndefined();
});
