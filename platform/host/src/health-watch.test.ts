import type { HealthDetails, HealthKind, Visit } from './health';
import type { ReleasesStore } from './releases.store';

const releases = {
  current: (name: string) => ({ name, version: '3.0.0-c' }) as ReturnType<ReleasesStore['current']>,
};

let modules: typeof import('./health') & typeof import('./health-watch') & typeof import('./early-errors');
let reports: Array<{ visit: Visit; kind: HealthKind; details: HealthDetails }>;
let visibility: DocumentVisibilityState;
let online: boolean;
let longFrames: ((list: { getEntries: () => unknown[] }) => void) | undefined;
const removals: Array<() => void> = [];
let onViolation: (event: object) => void = () => {};

const showPage = (content: string) => {
  document.body.innerHTML = `<div id="root"><div class="shell"><div class="shell-kept"><div class="shell-page">${content}</div></div></div></div>`;
};
const setVisibility = (next: DocumentVisibilityState) => {
  visibility = next;
  document.dispatchEvent(new Event('visibilitychange'));
};
const kinds = () => reports.map(({ kind, visit }) => `${visit.name} ${kind}`);

beforeEach(() => {
  jest.useFakeTimers();
  visibility = 'visible';
  online = true;
  jest.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  jest.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  const { addEventListener } = EventTarget.prototype;
  jest.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (this: EventTarget, ...args) {
    removals.push(() => this.removeEventListener(...args));
    if (args[0] === 'securitypolicyviolation') onViolation = args[1] as unknown as typeof onViolation;
    addEventListener.apply(this, args);
  });
  // Jest fails a test when its window has no error listener.
  window.addEventListener('error', () => {});
  Object.assign(window, {
    PerformanceObserver: class {
      static supportedEntryTypes: string[] = ['longtask', 'long-animation-frame'];
      constructor(listener: NonNullable<typeof longFrames>) {
        longFrames = listener;
      }
      observe() {}
    },
  });
  reports = [];
  showPage('content');
  jest.isolateModules(() => {
    jest.doMock('./health', () => ({
      ...jest.requireActual('./health'),
      report: (visit: Visit, kind: HealthKind, details: HealthDetails = {}) => reports.push({ visit, kind, details }),
    }));
    modules = {
      ...require('./health'),
      ...require('./early-errors'),
      ...require('./health-watch'),
    };
  });
  modules.openVisit('catalog', '1.0.0-a', './home');
});
afterEach(() => {
  for (const remove of removals.splice(0)) remove();
  Reflect.deleteProperty(window, 'PerformanceObserver');
  Reflect.deleteProperty(document.documentElement.dataset, 'shell');
  document.body.innerHTML = '';
  localStorage.clear();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const watch = (isHydrated?: () => boolean) => modules.watchHealth({ releases, isCallError: () => false, isHydrated });
const throwError = () => window.dispatchEvent(new ErrorEvent('error', { error: new TypeError('x'), message: 'x' }));

it('uncaught errors of handlers and promises are reported once, including those before the watch started', async () => {
  throwError();
  await modules.firstError;
  expect(reports).toEqual([]);
  watch();
  watch();
  const rejection = Object.assign(new Event('unhandledrejection'), { reason: 'x' });
  window.dispatchEvent(rejection);
  expect(kinds()).toEqual(['catalog error', 'catalog rejection']);
});

const refuse = (properties: object) =>
  onViolation({
    isTrusted: true,
    disposition: 'enforce',
    violatedDirective: 'img-src',
    blockedURI: 'https://evil.example',
    sourceFile: null,
    lineNumber: 3,
    columnNumber: 7,
    ...properties,
  });

it('a refused request is reported for the release whose file made it, including one before the watch started', () => {
  refuse({ sourceFile: 'http://localhost/r/orders/2.0.0-o/list.1f.js' });
  expect(reports).toEqual([]);
  watch();
  expect(reports).toMatchObject([
    { kind: 'refused', visit: { name: 'orders', version: '2.0.0-o' }, details: { at: 'list.1f.js:3:7' } },
  ]);
});

it('a refused request without a source file is reported for the page on screen', () => {
  watch();
  refuse({});
  refuse({ sourceFile: 'http://localhost/' });
  document.getElementById('root')?.append(Object.assign(new Image(), { src: 'https://evil.example/a.png' }));
  refuse({ sourceFile: 'http://localhost/' });
  expect(kinds()).toEqual(['catalog refused', 'catalog refused', 'catalog refused']);
});

it.each([
  ['a script', 'script', 'src', 'https://static.cdn.example/beacon.min.js'],
  ['a pixel', 'img', 'src', 'https://pixel.example/1.gif?site=7'],
  ['a style sheet', 'link', 'href', 'https://fonts.example/a.css'],
])('a refused request is not reported when a proxy has added %s to the document', (_what, tag, name, address) => {
  const element = document.createElement(tag);
  element.setAttribute(name, address);
  document.body.append(element);
  watch();
  refuse({ blockedURI: address });
  refuse({ blockedURI: new URL(address).origin, sourceFile: 'http://localhost/' });
  refuse({ sourceFile: 'http://localhost/cdn-cgi/rum.js' });
  expect(reports).toEqual([]);
});

it('a refused request is not reported for an extension, inline code, a synthetic event or a report-only policy', () => {
  watch();
  refuse({ sourceFile: 'chrome-extension://abc/inject.js' });
  refuse({ blockedURI: 'chrome-extension://abc/a.png' });
  refuse({ violatedDirective: 'script-src-elem', blockedURI: 'inline' });
  refuse({ isTrusted: false });
  refuse({ disposition: 'report' });
  expect(reports).toEqual([]);
});

const script = (name: string, duration: number) => ({
  sourceURL: `http://localhost/r/${name}/1.0.0-x/a.js`,
  duration,
});

it.each([
  ['the release whose script took longest', [script('shell', 100), script('orders', 5_100)], 'orders freeze'],
  ['the page on screen, without a script', undefined, 'catalog freeze'],
])('a freeze is reported for %s', (_, scripts, report) => {
  watch();
  longFrames?.({ getEntries: () => [{ duration: 5_200.4, scripts }] });
  expect(kinds()).toEqual([report]);
  expect(reports[0]?.details.value).toBe(5_200);
});

it('a freeze is not reported when it is shorter, no script takes long, or the script is of a CDN or another site', () => {
  watch();
  const scripts = [
    script('orders', 20),
    { sourceURL: 'http://localhost/cdn-cgi/a.js', duration: 5_000 },
    { sourceURL: 'https://widgets.example/a.js', duration: 5_000 },
  ];
  const long = scripts.map((single) => ({ duration: 5_200, scripts: [single] }));
  longFrames?.({ getEntries: () => [{ duration: 4_999 }, ...long] });
  expect(reports).toEqual([]);
});

it.each([
  ['loads its code', '<div class="shell-page-skeleton"></div>', true],
  ['waits for its data', '<div aria-busy="true">…</div>', true],
  ['does not react to clicks', 'content', false],
])('a page that still %s after five seconds is reported as slow, unlike the next one', async (_, content, reacts) => {
  let isHydrated = reacts;
  showPage(content);
  watch(() => isHydrated);
  await jest.advanceTimersByTimeAsync(4_900);
  expect(reports).toEqual([]);
  await jest.advanceTimersByTimeAsync(600);
  expect(kinds()).toEqual(['catalog slow']);
  isHydrated = true;
  showPage('content');
  modules.openVisit('catalog', '1.0.0-a', './search');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(kinds()).toEqual(['catalog slow']);
});

it('a page that was ready in time is not reported as slow, though a button is busy later', async () => {
  watch();
  await jest.advanceTimersByTimeAsync(1_000);
  showPage('<div aria-busy="true">…</div>');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(reports).toEqual([]);
});

it('a page that was hidden, offline or left meanwhile is not reported as slow', async () => {
  showPage('');
  watch();
  online = false;
  await jest.advanceTimersByTimeAsync(1_000);
  online = true;
  await jest.advanceTimersByTimeAsync(10_000);
  modules.openVisit('catalog', '1.0.0-a', './search');
  setVisibility('hidden');
  await jest.advanceTimersByTimeAsync(10_000);
  setVisibility('visible');
  modules.openVisit('catalog', '1.0.0-a', './home');
  await jest.advanceTimersByTimeAsync(3_000);
  modules.openVisit('orders', '2.0.0-o', './list');
  showPage('orders');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(reports).toEqual([]);
});

/** jsdom has no layout; scripts/release/page-emptiness.test.ts checks the same in a browser. */
describe('an empty page', () => {
  const empty = '<div data-remote="catalog"></div>';

  it('an empty page is reported for its release after five seconds, when it is still empty at the next checks', async () => {
    showPage(empty);
    watch();
    await jest.advanceTimersByTimeAsync(5_900);
    expect(reports).toEqual([]);
    await jest.advanceTimersByTimeAsync(600);
    expect(kinds()).toEqual(['catalog empty']);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reports).toHaveLength(1);
  });

  it('an empty page is not reported when it fills in time, is not visible or the network is down', async () => {
    showPage(empty);
    watch();
    await jest.advanceTimersByTimeAsync(5_600);
    showPage('content');
    await jest.advanceTimersByTimeAsync(60_000);
    showPage(empty);
    modules.openVisit('catalog', '1.0.0-a', './goods');
    await jest.advanceTimersByTimeAsync(4_900);
    setVisibility('hidden');
    await jest.advanceTimersByTimeAsync(1_000);
    setVisibility('visible');
    await jest.advanceTimersByTimeAsync(60_000);
    modules.openVisit('catalog', '1.0.0-a', './search');
    online = false;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(reports).toEqual([]);
  });

  it('an empty page is reported for its release and for the shell when the frame of the shop is missing', async () => {
    document.documentElement.dataset.shell = '4.0.0-d';
    document.body.innerHTML = '<div id="root"></div>';
    watch();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(kinds()).toEqual(['catalog empty', 'shell empty']);
    expect(reports.at(-1)?.visit.version).toBe('4.0.0-d');
  });

  it('an empty page is reported for the remote on screen, also when another remote was requested', async () => {
    showPage('<div data-remote="orders"></div>');
    watch();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(reports).toMatchObject([{ kind: 'empty', visit: { name: 'orders', version: '3.0.0-c' } }]);
  });
});
