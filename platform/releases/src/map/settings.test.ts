import { emptyMap, settingsInMap, settingsOf, toJudges } from './';

const loadTest = { name: 'load-test', url: 'https://judge.example/canary', before: ['raise'] };
const five = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...loadTest, name }));
const addressOf = (length: number) => loadTest.url.padEnd(length, 'x');

describe('the outside judges of a channel', () => {
  it('are taken as they are written, and have ten seconds where none are given', () => {
    expect(toJudges([loadTest])).toEqual([{ ...loadTest, seconds: 10 }]);
    const whole = { ...loadTest, before: ['raise', 'everybody'], seconds: 30, remotes: ['catalog', 'gift-cards'] };
    expect(toJudges([whole, { ...whole, name: 'smoke' }])).toEqual([whole, { ...whole, name: 'smoke' }]);
    expect(toJudges([])).toEqual([]);
  });

  it.each<[string, object[]]>([
    ['five', five],
    ['a name of one letter', [{ ...loadTest, name: 'a' }]],
    ['a name of 31 letters, digits and dashes', [{ ...loadTest, name: `a1-${'b'.repeat(28)}` }]],
    ['an address of 300 characters', [{ ...loadTest, url: addressOf(300) }]],
    ['an address of this machine by its name', [{ ...loadTest, url: 'http://localhost:9000/' }]],
    ['an address of this machine', [{ ...loadTest, url: 'http://127.0.0.1:9000/' }]],
    ['an address of this machine by IPv6', [{ ...loadTest, url: 'http://[::1]:9000/' }]],
    ['one second', [{ ...loadTest, seconds: 1 }]],
    ['a minute', [{ ...loadTest, seconds: 60 }]],
  ])('may have %s', (_what, given) => {
    expect(toJudges(given)).toEqual(given.map((one) => ({ seconds: 10, ...one })));
  });

  it.each<[string, unknown, string]>([
    ['that are no list', loadTest, 'outside judges are a list of at most 5'],
    ['of which there are six', [...five, { ...loadTest, name: 'f' }], 'outside judges are a list of at most 5'],
    ['with one name twice', [...five.slice(0, 3), five[1]], 'two outside judges have the name b'],
    ['one of which is no object', [loadTest, null], 'the outside judge null has no name such as load-test'],
  ])('are refused %s', (_what, given, message) => {
    expect(() => toJudges(given)).toThrow(expect.objectContaining({ code: 'bad-judges', message }));
  });

  const noName = 'has no name such as load-test';
  const noAddress = 'needs an https address without a query, a password or a fragment';
  const noBefore = 'needs "before": ["raise"], ["everybody"] or both';
  const noSeconds = 'has from 1 to 60 "seconds" to answer';
  const noRemotes = 'has "remotes" that are no names of releases';
  it.each<[string, object, string]>([
    ['without a name', { name: undefined }, noName],
    ['whose name is a number', { name: 7 }, noName],
    ...['', 'Load-test', '1-test', '-test', 'load test', 'load-test\n', ' load-test', `a${'b'.repeat(31)}`].map(
      (name): [string, object, string] => [`with the name ${JSON.stringify(name)}`, { name }, noName],
    ),
    ['without an address', { url: undefined }, noAddress],
    ['whose address is a list', { url: [loadTest.url] }, noAddress],
    ...[
      'judge.example',
      'http://judge.example/',
      'ftp://judge.example/',
      'ftp://localhost/',
      'https://ann@judge.example/',
      'https://:secret@judge.example/',
      'https://judge.example/?token=1',
      'https://judge.example/#here',
      'http://localhost/?token=1',
      addressOf(301),
    ].map((url): [string, object, string] => [`at ${url}`, { url }, noAddress]),
    ['that is asked before nothing', { before: [] }, noBefore],
    ['that does not say before what it is asked', { before: undefined }, noBefore],
    ['with a word for a list', { before: 'raise' }, noBefore],
    ['that is asked before an unknown step, too', { before: ['raise', 'promote'] }, noBefore],
    ['with less than a second', { seconds: 0.5 }, noSeconds],
    ['with more than a minute', { seconds: 60.5 }, noSeconds],
    ['with seconds that are a text', { seconds: '10' }, noSeconds],
    ['with seconds that are no number', { seconds: Number.NaN }, noSeconds],
    ['with one remote that is no list', { remotes: 'catalog' }, noRemotes],
    ['with a path among the remotes', { remotes: ['catalog', '../catalog'] }, noRemotes],
    ['with a list among the remotes', { remotes: [['catalog']] }, noRemotes],
    ['with a field that is not known', { second: 10 }, 'has a field "second" that is not known'],
  ])('are refused with one %s', (_what, change, why) => {
    const named = { ...loadTest, ...change };
    const message = `the outside judge ${JSON.stringify(named.name ?? null)} ${why}`;
    expect(() => toJudges([named])).toThrow(expect.objectContaining({ code: 'bad-judges', message }));
  });

  it('are set with a line in the history, are taken off, and stay when something else is set', () => {
    const by = { by: 'ann', why: 'a load test' };
    const both = { ...loadTest, name: 'smoke', before: ['raise', 'everybody'] };
    const set = settingsInMap(emptyMap('production'), { judges: [loadTest, both] as never }, by);
    expect(settingsOf(set).judges).toEqual(toJudges([loadTest, both]));
    const to = 'judge load-test before raise; judge smoke before raise, everybody';
    expect(set.changed).toMatchObject({ action: 'settings', from: 'no judge', to, why: 'a load test' });
    expect(() => settingsInMap(set, { judges: [loadTest, both] as never }, by)).toThrow(`${to} already`);
    const other = settingsInMap(set, { provenance: 'signed' }, by);
    expect(settingsOf(other)).toEqual({ provenance: 'signed', judges: settingsOf(set).judges });
    const off = settingsInMap(set, { judges: [] }, by);
    expect([settingsOf(off).judges, off.changed.from, off.changed.to]).toEqual([[], to, 'no judge']);
    expect(() => settingsInMap(set, { judges: [both, both] as never }, by)).toThrow('two outside judges');
  });
});
