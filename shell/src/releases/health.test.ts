import { flush, report, reportVitals } from './health';

const onLCP = jest.fn();
const onINP = jest.fn();
const onCLS = jest.fn();
jest.mock('web-vitals', () => ({
  onLCP: (callback: unknown) => onLCP(callback),
  onINP: (callback: unknown) => onINP(callback),
  onCLS: (callback: unknown) => onCLS(callback),
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
  it('are batched for two seconds in one beacon', async () => {
    report(visit);
    report({ ...visit, kind: 'render', recovered: true });
    expect(sendBeacon).not.toHaveBeenCalled();
    jest.advanceTimersByTime(2_000);
    jest.useRealTimers();
    expect(sendBeacon.mock.calls.map(([address]) => address)).toEqual(['/api/health/report']);
    expect(await sent()).toEqual([{ events: [visit, { ...visit, kind: 'render', recovered: true }] }]);
  });

  it('are sent at once by flush, and never empty', () => {
    report(visit);
    flush();
    flush();
    expect(sendBeacon).toHaveBeenCalledTimes(1);
  });

  it('never exceed the batch size of the server', async () => {
    for (let index = 0; index < 50; index += 1) report({ ...visit, kind: 'load' });
    flush();
    jest.useRealTimers();
    expect((await sent())[0].events).toHaveLength(20);
  });

  it('use fetch when sendBeacon refuses', () => {
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
  const loadPage = async () => {
    window.dispatchEvent(new Event('load'));
    await jest.advanceTimersByTimeAsync(10_000);
  };
  beforeEach(() => onLCP.mockReset());

  it('are reported for the release at which the document was opened', async () => {
    reportVitals(opened, () => 0.1);
    await loadPage();
    expect([onLCP, onINP, onCLS].map((on) => on.mock.calls.length)).toEqual([1, 1, 1]);
    onLCP.mock.calls[0][0]({ name: 'LCP', value: 812.5, id: 'v5-1', entries: [document.body] });
    flush();
    jest.useRealTimers();
    expect((await sent())[0].events).toEqual([{ ...opened, kind: 'vital', metric: 'LCP', value: 812.5 }]);
  });

  it('are sampled from a quarter of the documents', async () => {
    for (let index = 0; index < 100; index += 1) reportVitals(opened, () => index / 100);
    await loadPage();
    expect(onLCP).toHaveBeenCalledTimes(25);
  });

  it('are reported even if the load event never fires', async () => {
    reportVitals(opened, () => 0);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(onLCP).toHaveBeenCalledTimes(1);
  });
});
