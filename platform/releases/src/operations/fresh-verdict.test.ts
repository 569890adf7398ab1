/** A promote takes what the gate has found minutes ago with the same releases. */
import { type Check, GATE_VERSION, type GateStep } from '../gate/verdict';
import { openStore } from '../store/open-store';
import type { GateRecord, Store } from '../store/store';
import { publishSample, scratch } from '../testing/fixture';
import { gate } from './check-release';
import { hasPassedGate, recordVerdict } from './gated';
import { promote } from './promote';

const by = { by: 'ann' };
let store: Store;
let runs: number;
let outcome: Check['outcome'];
const step: GateStep = {
  check: 'browser',
  run: async () => {
    runs += 1;
    return [
      { check: 'ready', outcome: 'passed', detail: 'opened' },
      { check: 'browser', outcome, detail: 'opened' },
    ];
  },
};

beforeEach(async () => {
  runs = 0;
  outcome = 'passed';
  store = openStore({ place: await scratch() });
  for (const name of ['shell', 'orders']) {
    await publishSample(store, { name });
    await promote(store, { ...by, name });
  }
});
afterEach(() => jest.restoreAllMocks());

const gated = (version: string) => gate(store, { ...by, name: 'catalog', version, steps: [step] });
const promoted = (version: string, traffic?: number) =>
  promote(store, { ...by, name: 'catalog', version, traffic, steps: [step] });

it('does not open the same releases twice, and says when it has', async () => {
  const version = await publishSample(store);
  await gated(version);
  const { verdict, outcome } = await promoted(version);
  expect([outcome, runs]).toEqual(['promoted', 1]);
  expect(verdict.checks.at(-1)).toEqual({
    check: 'browser',
    outcome: 'passed',
    detail: expect.stringMatching(/^opened \(at 20.*Z\)$/),
  });
  // A share of the visitors, with the same releases beside it.
  const next = await publishSample(store, { text: 'two' });
  await gated(next);
  expect((await promoted(next, 10)).outcome).toBe('canary');
  expect(runs).toBe(2);
});

it.each<[string, (version: string) => Promise<unknown>]>([
  [
    'another release is live beside it',
    async () => {
      const version = await publishSample(store, { name: 'orders', text: 'two' });
      await promote(store, { ...by, name: 'orders', version });
    },
  ],
  [
    'it is ten minutes ago',
    async (version) => {
      const { at = '' } = (await store.readVerdict('catalog', version)) ?? {};
      jest.spyOn(Date, 'now').mockReturnValue(Date.parse(at) + 10 * 60_000);
    },
  ],
  ['it is to come, by the clock of here', async () => jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 60_000)],
  [
    'a check was left out',
    async (version) => {
      outcome = 'skipped';
      await gated(version);
      outcome = 'passed';
    },
  ],
  ['it was judged without the step', (version) => gate(store, { ...by, name: 'catalog', version })],
])('opens them again when %s', async (_, happens) => {
  const version = await publishSample(store);
  await gated(version);
  await happens(version);
  const before = runs;
  await promoted(version);
  expect(runs).toBe(before + 1);
});

it('refuses what the gate refused minutes ago only if it is refused again', async () => {
  const version = await publishSample(store);
  outcome = 'failed';
  await gated(version);
  await expect(promoted(version)).rejects.toThrow('did not pass the gate');
  outcome = 'passed';
  expect((await promoted(version)).outcome).toBe('promoted');
});

it('counts as passed with every check, the signed-in visits or not, by the gate of today', async () => {
  const version = await publishSample(store, { gated: false });
  expect(await hasPassedGate(store, 'catalog', version)).toBe(false);
  const judged = async (check: Partial<Check>, more: Partial<GateRecord> = {}) => {
    const checks = [
      { check: 'files', outcome: 'passed' as const, detail: '' },
      { check: 'browser', outcome, detail: '', ...check },
    ];
    await recordVerdict(store, { name: 'catalog', version, passed: true, checks }, {});
    const verdict = await store.readVerdict('catalog', version);
    await store.recordVerdict({ ...(verdict as GateRecord), ...more });
    return hasPassedGate(store, 'catalog', version);
  };
  expect(await judged({})).toBe(true);
  expect(await judged({ check: 'sign-in', outcome: 'skipped' })).toBe(true);
  expect(await judged({ outcome: 'skipped' })).toBe(false);
  expect(await judged({}, { passed: false })).toBe(false);
  expect(await judged({}, { gate: GATE_VERSION - 1 })).toBe(false);
});
