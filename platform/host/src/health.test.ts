import { onCLS, onINP, onLCP } from 'web-vitals';
import {
  claimVisit,
  flush,
  type HealthDetails,
  type HealthKind,
  openVisit,
  report,
  shownVisit,
  visitOf,
} from './health';
import { reportVitals } from './vitals';

jest.mock('web-vitals', () => ({ onLCP: jest.fn(), onINP: jest.fn(), onCLS: jest.fn() }));

interface Batch {
  token?: string;
  context: unknown;
  events: Array<HealthDetails & { name: string; version: string; page: string; visit: string; kind: HealthKind }>;
}

let sendBeacon: jest.Mock<boolean, [string, Blob]>;
let request: jest.Mock;
const originalFetch = globalThis.fetch;

const bodyOf = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });
const sent = async (): Promise<Batch[]> => {
  jest.useRealTimers();
  return Promise.all(sendBeacon.mock.calls.map(async ([, blob]) => JSON.parse(await bodyOf(blob)) as Batch));
};
const open = () => openVisit('catalog', '1.0.0-a', './home');

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
  sendBeacon = jest.fn((_: string, __: Blob) => true);
  Object.defineProperty(navigator, 'sendBeacon', { value: sendBeacon, configurable: true });
  request = jest.fn(() => Promise.reject(new TypeError('no network')));
  globalThis.fetch = request as unknown as typeof fetch;
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no other
  document.cookie = 'visit_token=abc.def';
});
afterEach(() => {
  flush();
  globalThis.fetch = originalFetch;
  localStorage.clear();
  sessionStorage.clear();
  jest.useRealTimers();
});

it('health reports are batched for two seconds in one beacon, with the token and the affected context', async () => {
  localStorage.setItem('token', 'Bearer x');
  const visit = open();
  report(visit, 'visit');
  report(visit, 'render');
  expect(sendBeacon).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(sendBeacon.mock.calls.map(([address]) => address)).toEqual(['/api/health/report']);
  expect(visit.visit).toMatch(/^[0-9a-f]{16}$/);
  expect(await sent()).toEqual([
    {
      token: 'abc.def',
      context: { language: 'zh-CN', device: 'phone', signedIn: true },
      events: [
        { ...visit, kind: 'visit' },
        { ...visit, kind: 'render' },
      ],
    },
  ]);
});

it('a token is requested once when the document has none, and reports go without one when none is issued', async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no other
  document.cookie = 'visit_token=; max-age=0';
  report(open(), 'visit');
  await jest.advanceTimersByTimeAsync(2_000);
  report(open(), 'visit');
  await jest.advanceTimersByTimeAsync(2_000);
  expect(request.mock.calls.map(([address]) => address)).toEqual(['/api/health/token']);
  request.mockResolvedValue({ json: async () => ({ token: 'asked.for' }) });
  await jest.advanceTimersByTimeAsync(60 * 60_000);
  report(open(), 'visit');
  await jest.advanceTimersByTimeAsync(2_000);
  expect((await sent()).map(({ token }) => token)).toEqual([undefined, undefined, 'asked.for']);
});

it('each visit reports each kind once', async () => {
  const visit = open();
  for (let index = 0; index < 5; index += 1) report(visit, 'error', { at: 'home.js:1:2' });
  report(visit, 'visit');
  report(visit, 'rejection');
  report(open(), 'error');
  flush();
  const kinds = (await sent())[0]?.events.map(({ kind, visit: id }) => `${id === visit.visit ? 1 : 2} ${kind}`);
  expect(kinds).toEqual(['1 error', '1 visit', '1 rejection', '2 error']);
});

it('batches never exceed the batch size and the body limit of the server, and lose nothing', async () => {
  for (let index = 0; index < 50; index += 1) report(open(), 'error', { at: 'x'.repeat(80) });
  flush();
  flush();
  const bodies = await sent();
  expect(bodies.map(({ events }) => events.length)).toEqual([20, 20, 10]);
  for (const body of bodies) expect(JSON.stringify(body).length).toBeLessThan(8 * 1024);
});

it('a visit starts with the navigation, and again when the page is shown again or by another release', () => {
  const opened = open();
  expect(claimVisit('catalog', '1.0.0-a', './home')).toBe(opened);
  const again = claimVisit('catalog', '1.0.0-a', './home');
  expect(again.visit).not.toBe(opened.visit);
  open();
  const secondVisit = claimVisit('catalog', '1.0.0-b', './home');
  expect([secondVisit.version, shownVisit()]).toEqual(['1.0.0-b', secondVisit]);
  expect(visitOf('catalog', '1.0.0-b')).toBe(secondVisit);
});

it('web vitals are reported for the visit at which the document was opened', async () => {
  const opened = open();
  reportVitals(opened);
  for (const on of [onLCP, onINP, onCLS]) expect(on).toHaveBeenCalledTimes(1);
  const metric = { name: 'LCP', value: 812.5, id: 'v5-1', entries: [document.body] };
  jest.mocked(onLCP).mock.calls[0]?.[0](metric as unknown as Parameters<Parameters<typeof onLCP>[0]>[0]);
  flush();
  expect((await sent())[0]?.events).toEqual([{ ...opened, kind: 'vital', metric: 'LCP', value: 812.5 }]);
});
