import { type GateContext, runStep } from './verdict';

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
