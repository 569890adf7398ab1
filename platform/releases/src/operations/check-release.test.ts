import { type Check, GATE_VERSION, type GateContext, type GateStep, runStep } from '../gate/verdict';
import { type GateRecord, openStore } from '../store/store';
import { publishLive, publishSample, scratch } from '../testing/fixture';
import { gate, hasPassedGate, recordVerdict } from './check-release';
import { promote } from './promote';

const openedStore = async () => {
  const store = openStore({ place: await scratch() });
  await publishLive(store, { name: 'shell' });
  return store;
};

it('each promote opens the pages of a release, however often it passed the gate', async () => {
  const store = await openedStore();
  const run = jest.fn(async (): Promise<Check[]> => [{ check: 'browser', outcome: 'passed', detail: 'opened' }]);
  const steps: GateStep[] = [{ check: 'browser', run }];
  const release = { by: 'ann', name: 'catalog', version: await publishSample(store), steps };
  await gate(store, release);
  await promote(store, { ...release, traffic: 10 });
  await promote(store, release);
  expect(run).toHaveBeenCalledTimes(3);
});

it('a release has passed the gate only with every check of the current gate, the signed-in visits excepted', async () => {
  const store = await openedStore();
  const version = await publishSample(store, { gated: false });
  expect(await hasPassedGate(store, 'catalog', version)).toBe(false);
  const judged = async (check: Partial<Check>, more: Partial<GateRecord> = {}) => {
    const checks = [
      { check: 'files', outcome: 'passed' as const, detail: '' },
      { check: 'browser', outcome: 'passed' as const, detail: '', ...check },
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

it('runStep fails a step after its time limit and aborts it, so that it closes what it opened', async () => {
  let signal: AbortSignal | undefined;
  const run = (context: GateContext) => {
    ({ signal } = context);
    return new Promise<never>(() => {});
  };
  const checks = await runStep({ check: 'browser', run }, {} as GateContext, 6);
  expect(checks).toEqual([
    { check: 'browser', outcome: 'failed', detail: 'the step did not end within 0.0001 minutes' },
  ]);
  expect(signal?.aborted).toBe(true);
});
