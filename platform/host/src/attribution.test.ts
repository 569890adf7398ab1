import type { ScriptError } from './early-errors';
import { openVisit, visitOf } from './health';
import { blame } from './health-watch';

class CallError extends Error {}
const isCallError = (error: unknown) => error instanceof CallError;

const here = 'http://localhost';
const file = (name: string, version: string, path: string) => `${here}/r/${name}/${version}/${path}`;

function withStack(message: string, ...frames: string[]): Error {
  const error = new TypeError(message);
  error.stack = [`TypeError: ${message}`, ...frames].join('\n');
  return error;
}
const thrown = (error: unknown, init: ErrorEventInit = {}) =>
  new ErrorEvent('error', { error, ...init }) as ScriptError;
const rejected = (reason: unknown) =>
  ({ type: 'unhandledrejection', reason, target: window }) as unknown as ScriptError;
const blamedOn = (event: ScriptError) => {
  const result = blame(event, isCallError);
  return result && [`${result.visit.name}@${result.visit.version}`, result.visit.page, result.at];
};

beforeEach(() => {
  window.history.replaceState(null, '', '/home');
  openVisit('orders', '2.0.0-o', './list');
  openVisit('catalog', '1.0.0-c', './home');
});

it.each<[string, ScriptError, unknown]>([
  [
    'the topmost file of a release on the stack of Chrome',
    thrown(
      withStack(
        'x is undefined',
        `    at ${here}/home:3:1`,
        `    at click (${file('orders', '2.0.0-o', 'list.1f.js')}:1:200)`,
        `    at ${file('shell', '1.0.0-s', 'main.js')}:9:9`,
      ),
    ),
    ['orders@2.0.0-o', './list', 'list.1f.js:1:200'],
  ],
  [
    'the topmost file on the stack of Firefox and Safari, with the address of a retry',
    thrown(
      withStack(
        'x',
        `click@${file('orders', '2.0.0-o', 'chunks/a.js')}?retry=1:7:8`,
        `@${file('shell', '1.0.0-s', 'main.js')}:9:9`,
      ),
    ),
    ['orders@2.0.0-o', './list', 'chunks/a.js:7:8'],
  ],
  [
    'the file of the event, when there is no error object',
    thrown(null, { message: 'SyntaxError', filename: file('orders', '2.0.0-o', 'a.js'), lineno: 1, colno: 2 }),
    ['orders@2.0.0-o', './list', 'a.js:1:2'],
  ],
  ['the page on screen, without a file', rejected('no error at all'), ['catalog@1.0.0-c', './home', undefined]],
  [
    'the page on screen, when only the document is on the stack',
    rejected(withStack('x', `    at ${here}/home:3:1`)),
    ['catalog@1.0.0-c', './home', undefined],
  ],
  [
    'a file of ours, though the message names another address',
    rejected(withStack('https://elsewhere.example/x failed', `    at ${file('orders', '2.0.0-o', 'a.js')}:1:2`)),
    ['orders@2.0.0-o', './list', 'a.js:1:2'],
  ],
])('blame attributes an error to %s', (_, event, expected) => {
  expect(blamedOn(event)).toEqual(expected);
});

it('the location of an error has at most 80 characters', () => {
  const long = thrown(withStack('x', `    at ${file('orders', '2.0.0-o', `${'a'.repeat(120)}.js`)}:1:2`));
  const at = blame(long, isCallError)?.at;
  expect(at).toHaveLength(80);
  expect(at).toMatch(/a\.js:1:2$/);
});

it('a release that ran without being shown gets its own visit', () => {
  const event = thrown(withStack('x', `    at ${file('account', '3.0.0-a', 'a.js')}:1:2`));
  expect(blamedOn(event)).toEqual(['account@3.0.0-a', '', 'a.js:1:2']);
  expect(blame(event, isCallError)?.visit).toBe(visitOf('account', '3.0.0-a'));
});

it.each<[string, ScriptError]>([
  [
    'an error in a browser extension, though it was called from a release',
    thrown(withStack('x', '    at chrome-extension://a/b.js:1:2', `    at ${file('orders', '2.0.0-o', 'a.js')}:1:2`)),
  ],
  ['an error in an extension of Firefox', thrown(withStack('x', 'run@moz-extension://abc-def/inject.js:1:2'))],
  [
    'an error in a script of another origin',
    thrown(withStack('x', '    at https://ads.example/r/orders/2.0.0-o/a.js:1:2')),
  ],
  [
    'a script of a CDN on the origin of the site, though it was called from a release',
    thrown(withStack('x', `    at ${here}/cdn-cgi/a.js:1:2`, `    at ${file('orders', '2.0.0-o', 'a.js')}:1:2`)),
  ],
  [
    'a script of a CDN without an error object',
    thrown(null, { message: 'TypeError', filename: `${here}/akam/13/abc`, lineno: 1, colno: 2 }),
  ],
  ['a rejection in a script of a CDN', rejected(withStack('x', `@${here}/_Incapsula_Resource:1:2`))],
  ['an error without details from the browser', thrown(null, { message: 'Script error.' })],
  ['a resize observer', thrown(null, { message: 'ResizeObserver loop completed with undelivered notifications.' })],
  ['a call that failed in the network', rejected(new CallError())],
  ['an aborted call', rejected(Object.assign(new Error('aborted'), { name: 'AbortError' }))],
])('blame attributes no release to %s', (_, event) => {
  expect(blame(event, isCallError)).toBeNull();
});
