import { flush, report, reportVitals } from './health';

const onLCP = jest.fn();
const onINP = jest.fn();
const onCLS = jest.fn();
jest.mock('web-vitals', () => ({
  onLCP: (take: unknown) => onLCP(take),
  onINP: (take: unknown) => onINP(take),
  onCLS: (take: unknown) => onCLS(take),
}));

const visit = { name: 'catalog', version: '1.0.0-a', kind: 'visit', page: './home' } as const;
let sendBeacon: jest.Mock<boolean, [string, Blob]>;

const bodyOf = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });
const sent = () => Promise.all(sendBeacon.mock.calls.map(async ([, blob]) => JSON.parse(await bodyOf(blob))));

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
  sendBeacon = jest.fn((_: string, __: Blob) => true);
  Object.defineProperty(navigator, 'sendBeacon', { value: sendBeacon, configurable: true });
});
afterEach(() => {
  flush();
  jest.useRealTimers();
});

describe('health reports', () => {
  it('of two seconds go together in one beacon', async () => {
    report(visit);
    report({ ...visit, kind: 'render', recovered: true });
    expect(sendBeacon).not.toHaveBeenCalled();
    jest.advanceTimersByTime(2_000);
    jest.useRealTimers();
    expect(sendBeacon.mock.calls.map(([address]) => address)).toEqual(['/api/health/report']);
    expect(await sent()).toEqual([{ events: [visit, { ...visit, kind: 'render', recovered: true }] }]);
  });

  it('are sent at once when the page goes away, and an empty one never', () => {
    report(visit);
    flush();
    flush();
    expect(sendBeacon).toHaveBeenCalledTimes(1);
  });

  it('never exceed what the server takes in a batch', async () => {
    for (let index = 0; index < 50; index += 1) report({ ...visit, kind: 'load' });
    flush();
    jest.useRealTimers();
    expect((await sent())[0].events).toHaveLength(20);
  });

  it('go by fetch where there is no beacon', () => {
    sendBeacon.mockReturnValue(false);
    const request = jest.fn(() => Promise.resolve(new Response()));
    const original = globalThis.fetch;
    globalThis.fetch = request as unknown as typeof fetch;
    report(visit);
    flush();
    globalThis.fetch = original;
    expect(request).toHaveBeenCalledWith('/api/health/report', expect.objectContaining({ keepalive: true }));
  });
});

describe('web vitals', () => {
  const { kind: _, ...opened } = visit;
  const arrive = async () => {
    window.dispatchEvent(new Event('load'));
    await jest.advanceTimersByTimeAsync(10_000);
  };
  beforeEach(() => onLCP.mockReset());

  it('are reported for the release that the document was opened with', async () => {
    reportVitals(opened, () => 0.1);
    await arrive();
    expect([onLCP, onINP, onCLS].map((on) => on.mock.calls.length)).toEqual([1, 1, 1]);
    onLCP.mock.calls[0][0]({ name: 'LCP', value: 812.5, id: 'v5-1', entries: [document.body] });
    flush();
    jest.useRealTimers();
    expect((await sent())[0].events).toEqual([{ ...opened, kind: 'vital', metric: 'LCP', value: 812.5 }]);
  });

  it('come from a quarter of the documents', async () => {
    for (let index = 0; index < 100; index += 1) reportVitals(opened, () => index / 100);
    await arrive();
    expect(onLCP).toHaveBeenCalledTimes(25);
  });

  it('come even if the load event never does: a preload that hangs holds it back', async () => {
    reportVitals(opened, () => 0);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(onLCP).toHaveBeenCalledTimes(1);
  });
});
