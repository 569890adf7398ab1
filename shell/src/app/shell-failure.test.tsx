import { flush, reportShellVisit } from '@platform/host/health';
import { claimDocument, shellFailed } from '@platform/host/shell-start';
import { screen } from '@testing-library/react';
import { closeShell, endShell, renderShell } from '../testing/render-shell';

const html = document.documentElement;
const sent: Array<{ version: string; kind: string }> = [];
const events = async () => {
  flush();
  await new Promise((resolve) => setTimeout(resolve, 0));
  return sent.splice(0);
};

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  window.fetch = jest.fn(async (_url, init) => {
    sent.push(...JSON.parse(String(init?.body)).events);
    return {} as Response;
  }) as unknown as typeof fetch;
});
afterEach(() => {
  endShell();
  jest.restoreAllMocks();
  for (const name of Object.keys(html.dataset)) delete html.dataset[name];
  sent.length = 0;
});

const url = 'https://shop.example/r/shell/1.0.0-bad/main.js';

it('a document is claimed by one shell only', () => {
  expect(claimDocument(url)).toBe(true);
  expect(claimDocument('https://shop.example/r/shell/1.0.0-old/main.js')).toBe(false);
});

it('a document is claimed by the previous shell if the live one has thrown in this tab', () => {
  html.dataset.broken = '1.0.0-bad';
  expect(claimDocument(url)).toBe(false);
  html.dataset.failed = '';
  expect(claimDocument('https://shop.example/r/shell/1.0.0-old/main.js')).toBe(true);
  expect(html.dataset.failed).toBeUndefined();
});

it('a document counts one visit of the live shell and none of a fallback shell', async () => {
  html.dataset.shell = '1.0.0-bad';
  reportShellVisit();
  html.dataset.rescued = '1.0.0-old';
  reportShellVisit();
  expect(await events()).toMatchObject([{ name: 'shell', version: '1.0.0-bad', kind: 'visit' }]);
});

it('a shell that throws is reported and replaced once by the previous shell', async () => {
  html.dataset.shell = '1.0.0-bad';
  html.dataset.before = '{}';
  const reload = jest.fn();
  shellFailed(new Error('thrown'), reload);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(sessionStorage.getItem('brokenShell')).toBe('1.0.0-bad');
  expect(await events()).toMatchObject([{ version: '1.0.0-bad', kind: 'render' }]);

  html.dataset.rescued = '1.0.0-old';
  shellFailed(new Error('thrown'), reload);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(html.dataset.failed).toBe('');
  // The next load starts with the live shell.
  expect(sessionStorage.getItem('brokenShell')).toBeNull();
  expect(await events()).toMatchObject([{ version: '1.0.0-old', kind: 'render' }]);
});

it('shows the error text without a previous shell or session storage', () => {
  html.dataset.shell = '1.0.0-bad';
  const reload = jest.fn();
  shellFailed(new Error('thrown'), reload);
  expect(html.dataset.failed).toBe('');
  delete html.dataset.failed;
  html.dataset.before = '{}';
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('SecurityError');
  });
  shellFailed(new Error('thrown'), reload);
  expect(html.dataset.failed).toBe('');
  expect(reload).not.toHaveBeenCalled();
});

it('never shows the router’s own error page', async () => {
  const title = jest.spyOn(document, 'title', 'set').mockImplementation(() => {
    throw new Error('thrown while rendering');
  });
  await renderShell('/home');
  expect(html.dataset.failed).toBe('');
  expect(screen.queryByText(/Unexpected Application Error/)).toBeNull();
  title.mockRestore();
  closeShell();
});
