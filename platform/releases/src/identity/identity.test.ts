import { authorOf, type Identity, limitsOf, refusalOf, type Wanted } from './identity';
import { checkGrant, containsKey } from './keys';

const identity = (given: Partial<Identity>): Identity => ({
  id: '',
  name: 'CI',
  kind: 'key',
  expiresAt: '',
  role: 'squad',
  remotes: ['catalog'],
  maxTraffic: 25,
  ...given,
});
const promote = (more = {}): Wanted => ({ action: 'promote', name: 'catalog', ...more }) as Wanted;
const rollback = (more = {}): Wanted => ({ action: 'rollback', name: 'catalog', ...more }) as Wanted;

test.each<[string, Partial<Identity>, Wanted, RegExp | null]>([
  ['ops may restore', { role: 'ops' }, { action: 'restore' } as Wanted, null],
  ['a viewer changes nothing', { role: 'viewer' }, promote(), /change nothing/],
  ['keys are for ops', { role: 'platform' }, { action: 'manage keys' }, /for ops/],
  ['platform promotes any remote', { role: 'platform' }, promote({ name: 'orders' }), null],
  ['a squad promotes one release at a time', {}, { action: 'promote-together' } as Wanted, /several/],
  ['a squad promotes only its remotes', {}, promote({ name: 'orders', traffic: 10 }), /is not a remote/],
  ['a squad publishes its remotes', {}, { action: 'publish', name: 'catalog' }, null],
  ['a squad cannot skip a check', {}, promote({ traffic: 10, skip: ['size'] }), /leaving out/],
  ['a squad may pass an empty skip', {}, promote({ traffic: 10, skip: [] }), null],
  ['a squad promotes up to its share', {}, promote({ traffic: 25 }), null],
  ['a squad cannot promote beyond its share', {}, promote({ traffic: 26 }), /at most 25 %/],
  ['a promote without a share is for all visitors', {}, promote(), /at most 25 %/],
  ['a canary is raised within its limits', {}, promote({ canary: {} }), null],
  ['a squad without a limit promotes for all', { maxTraffic: undefined }, promote(), null],
  ['a squad cannot force a rollback that is worse', {}, rollback({ anyway: true }), /is worse/],
  ['a rollback has no share', {}, rollback(), null],
])('refusalOf decides: %s', (_, given, wanted, reason) => {
  const refusal = refusalOf(identity(given), wanted);
  if (reason) expect(refusal).toMatch(reason);
  else expect(refusal).toBeNull();
});

test('only a squad has limits that depend on the live releases', () => {
  expect(limitsOf(identity({}))).toEqual({ maxTraffic: 25, onlyEarlier: true });
  expect(limitsOf(identity({ role: 'ops' }))).toEqual({});
});

test('the history distinguishes a user from a key', () => {
  expect(authorOf(identity({ name: 'Ann', kind: 'person', role: 'ops' }))).toBe('Ann (ops)');
  expect(authorOf(identity({}))).toBe('CI (squad, key)');
});

test.each<[string, Partial<Identity>, RegExp]>([
  ['an unknown role', { role: 'owner' as 'ops' }, /"owner" is not one of the roles/],
  ['a squad without remotes', { remotes: [] }, /needs the names of its remotes/],
  ['remotes of another role', { role: 'viewer', maxTraffic: undefined }, /for squads/],
  ['a limit of another role', { role: 'platform', remotes: [] }, /for squads/],
  ['an invalid release name', { remotes: ['catalog', '../orders'] }, /"\.\.\/orders" is not a name/],
  ['no visitors at all', { maxTraffic: 0 }, /more than 0 and at most 100/],
  ['more than all visitors', { maxTraffic: 101 }, /more than 0 and at most 100/],
])('checkGrant refuses %s', (_, given, reason) => {
  expect(() => checkGrant(identity(given))).toThrow(reason);
});

test('checkGrant accepts the grants of each role', () => {
  for (const given of [{ maxTraffic: 100 }, { maxTraffic: undefined }])
    expect(() => checkGrant(identity(given))).not.toThrow();
  const all = { remotes: [], maxTraffic: undefined };
  for (const role of ['viewer', 'platform', 'ops'] as const)
    expect(() => checkGrant(identity({ ...all, role }))).not.toThrow();
});

test('containsKey finds a key at any position in a text', () => {
  const texts = ['see releasekey_0123', 'a release key', 'released'];
  expect(texts.map(containsKey)).toEqual([true, false, false]);
});
