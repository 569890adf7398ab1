/** @jest-environment jsdom */
import { previousShellAttribute } from './document-attributes';
import { watchShell } from './shell-fallback';

const previous = previousShellAttribute({
  version: '1.0.0-old',
  base: '/r/shell/1.0.0-old/',
  entry: 'main.js',
  initial: { js: ['vendor.js', 'main.js'], css: ['main.css'] },
  exposes: {},
  integrity: { 'vendor.js': 'sha384-v', 'main.js': 'sha384-m', 'main.css': 'sha384-c' },
});
const root = document.documentElement;
const reports: unknown[] = [];

function open({ before = previous }: { before?: string } = {}) {
  root.dataset.shell = '1.0.0-new';
  if (before) root.dataset.before = before;
  document.body.innerHTML = '<div id="root"><div class="boot"></div></div>';
  watchShell();
}

function fileFails(tag: 'script' | 'link', url: string) {
  const element = document.createElement(tag);
  if (element instanceof HTMLLinkElement) Object.assign(element, { rel: 'stylesheet', href: url });
  else Object.assign(element, { type: 'text/plain', src: url });
  document.body.append(element);
  element.dispatchEvent(new Event('error'));
}

const scripts = () => [...document.head.querySelectorAll('script')];
const added = () => scripts().map((script) => script.getAttribute('src'));
const addedStyles = () => [...document.head.querySelectorAll('link')].map((link) => link.getAttribute('href'));

/** The listeners of an earlier test remain, so every test gets its own set of window listeners. */
const listeners: Array<[string, EventListener]> = [];
beforeEach(() => {
  jest.useFakeTimers();
  reports.length = 0;
  Object.assign(navigator, { sendBeacon: (url: string, body: Blob) => reports.push([url, body.type]) });
  const add = window.addEventListener.bind(window);
  jest.spyOn(window, 'addEventListener').mockImplementation((type, listener, options) => {
    listeners.push([type, listener as EventListener]);
    add(type, listener as EventListener, options);
  });
});
afterEach(() => {
  for (const [type, listener] of listeners.splice(0)) window.removeEventListener(type, listener, true);
  jest.restoreAllMocks();
  jest.useRealTimers();
  sessionStorage.clear();
  document.head.innerHTML = '';
  for (const name of Object.keys(root.dataset)) delete root.dataset[name];
});

const liveScriptFails = () => fileFails('script', '/r/shell/1.0.0-new/main.js');
const throwIn = (filename: string) => window.dispatchEvent(new ErrorEvent('error', { filename }));
const live = 'https://shop.example/r/shell/1.0.0-new/main.js';

it.each([
  ['a script of the live one does not arrive', liveScriptFails],
  ['the live one throws before it has started', () => throwIn(live)],
  [
    'the live one hangs for 20 seconds',
    () => {
      jest.advanceTimersByTime(19_000);
      expect(added()).toEqual([]);
      jest.advanceTimersByTime(1_000);
    },
  ],
])('the previous shell loads, in order and with its hashes, when %s', (_, fail) => {
  open();
  fail();
  expect(root.dataset.rescued).toBe('1.0.0-old');
  expect(added()).toEqual(['/r/shell/1.0.0-old/vendor.js', '/r/shell/1.0.0-old/main.js']);
  expect(scripts().map(({ integrity }) => integrity)).toEqual(['sha384-v', 'sha384-m']);
  expect(addedStyles()).toEqual(['/r/shell/1.0.0-old/main.css']);
  expect(reports).toEqual([['/api/health/report', 'application/json']]);
  expect(root.dataset.failed).toBeUndefined();
});

it('a shell is replaced neither after it has started nor for errors of other files', () => {
  open();
  fileFails('script', '/r/catalog/1.0.0-new/home.js');
  throwIn('https://elsewhere.example/x.js');
  root.dataset.started = '';
  throwIn(live);
  jest.advanceTimersByTime(60_000);
  expect([added(), reports]).toEqual([[], []]);
});

it('only the previous styles load when only a style sheet does not arrive', () => {
  open();
  fileFails('link', '/r/shell/1.0.0-new/main.css');
  expect([addedStyles(), added()]).toEqual([['/r/shell/1.0.0-old/main.css'], []]);
  expect(reports).toHaveLength(1);
});

it('a message is shown when there is no previous shell, and when the previous one fails too', () => {
  open({ before: '' });
  liveScriptFails();
  expect(root.dataset.failed).toBe('');
  delete root.dataset.failed;
  open();
  liveScriptFails();
  fileFails('script', '/r/shell/1.0.0-old/main.js');
  expect(root.dataset.failed).toBe('');
});

it('a tab in which the live shell failed to render starts with the previous one', () => {
  sessionStorage.setItem('brokenShell', '1.0.0-new');
  open();
  expect([root.dataset.broken, root.dataset.rescued]).toEqual(['1.0.0-new', '1.0.0-old']);
  expect(reports).toEqual([]);
});

it('the fallback does nothing in a document of a development server', () => {
  watchShell();
  expect(listeners).toEqual([]);
});

it('the fallback adds no script from outside the releases of the shell', () => {
  // jsdom prints errors that a listener throws.
  jest.spyOn(console, 'error').mockImplementation(() => {});
  open({ before: previous.replaceAll('/r/shell/1.0.0-old/', 'https://elsewhere.example/') });
  liveScriptFails();
  expect(added()).toEqual([]);
});
