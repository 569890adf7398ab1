/** A promote takes what the gate has found minutes ago with the same releases. */
import type { Check, GateStep } from '../gate/verdict';
import { openStore } from '../store/open-store';
import type { Store } from '../store/store';
import { publishSample, scratch } from '../testing/fixture';
import { gate } from './check-release';
import { promote } from './promote';

const by = { by: 'ann' };
let store: Store;
let runs: number;
let outcome: Check['outcome'];
const step: GateStep = {
  check: 'browser',
  run: async () => {
    runs += 1;
    return [{ check: 'browser', outcome, detail: 'opened' }];
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
  ['it is long ago', async () => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000)],
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
