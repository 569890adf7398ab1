import type { PageMap } from '@platform/releases/contract';
import { runInAction } from 'mobx';
import { claimCleanLoad } from './clean-load';
import { natives } from './natives';
import { refreshOnIdle } from './refresh-on-idle';
import type { Release } from './release-map';
import { ReleasesStore } from './releases.store';
import type { RemoteLoader } from './remote-loader';
import { watchInput } from './unsaved-input';

const changingCalls = { pending: 0, lastEnd: 0, lastSuccess: 0 };
const entryOf = (name: string, version: string) => ({
  metadata: { version },
  deployment: { traffic: 100, default: true },
  extras: { base: `/r/${name}/${version}/`, entry: 'remoteEntry.js', integrity: {} },
});
const mapWith = (catalog: string, shell = '4.0.0-s', changes: Partial<PageMap> = {}): PageMap => ({
  channel: 'production',
  rev: 1,
  microFrontends: { shell: [entryOf('shell', shell)], catalog: [entryOf('catalog', catalog)] },
  ...changes,
});

let releases: ReleasesStore;
let loader: jest.Mocked<RemoteLoader>;
const reload = jest.fn();
natives.reload = reload;
const after = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
const field = () => document.querySelector('input') as HTMLInputElement;
const type = (element: Element) => {
  (element as HTMLInputElement).value = 'half a sentence';
  element.dispatchEvent(new Event('input', { bubbles: true }));
};
const change = (...args: Parameters<typeof mapWith>) =>
  runInAction(() => {
    releases.map = { ...mapWith(...args), rev: releases.map.rev + 1 };
  });
const goLive = () => change('1.0.0-b');
const rollBack = () => change('1.0.0-0', undefined, { withdrawn: { catalog: ['1.0.0-a'] } });
const current = () => releases.current('catalog') as Release;
let onScreen: { remote: string; page: string };

beforeEach(() => {
  jest.useFakeTimers();
  reload.mockReset();
  document.body.innerHTML =
    '<div data-remote="catalog"><input></div><div data-remote="account"><textarea></textarea></div>';
  releases = new ReleasesStore(mapWith('1.0.0-a'), 50);
  releases.noteRun(current());
  loader = {
    load: jest.fn(async (release: Release, _page: string) => ({ release, module: { Component: () => null } })),
    loadFallback: jest.fn(),
    show: jest.fn(),
    peek: jest.fn(),
    unload: jest.fn(),
  };
  onScreen = { remote: 'catalog', page: './home' };
  watchInput(changingCalls);
  refreshOnIdle({ releases, loader, onScreen: () => onScreen });
});
afterEach(() => {
  jest.useRealTimers();
  sessionStorage.clear();
  Object.assign(changingCalls, { pending: 0, lastEnd: 0, lastSuccess: 0 });
  delete document.documentElement.dataset.holds;
});

it('an idle tab switches to the live release within ten seconds, once the code of the new page has loaded', async () => {
  let resolveLoad: () => void = () => {};
  loader.load.mockImplementation(
    (release) =>
      new Promise((resolve) => {
        resolveLoad = () => resolve({ release, module: { Component: () => null } });
      }),
  );
  goLive();
  await after(10_000);
  expect(current().version).toBe('1.0.0-a');
  resolveLoad();
  await after(0);
  expect(current().version).toBe('1.0.0-b');
});

it('an idle tab keeps its release when the new one does not load, and does not retry', async () => {
  loader.load.mockImplementation(async () => ({ release: current(), module: { Component: () => null } }));
  goLive();
  await after(120_000);
  expect([current().version, loader.load.mock.calls.length]).toEqual(['1.0.0-a', 1]);
});

it('an idle tab reloads for a new shell, and less often while a cache still serves the document with the old one', async () => {
  const loads: number[] = [];
  const start = performance.now();
  reload.mockImplementation(() => loads.push(Math.round((performance.now() - start) / 60_000)));
  change('1.0.0-a', '4.1.0-s');
  await after(3_600_000);
  expect(loads).toEqual([0, 1, 3, 7, 15, 31]);
});

it('a tab waits while it is used or a dialog is open', async () => {
  await after(20_000);
  goLive();
  for (let seconds = 0; seconds < 60; seconds += 2) {
    document.dispatchEvent(new Event('pointerdown'));
    await after(2_000);
  }
  document.body.insertAdjacentHTML('beforeend', '<div role="dialog"></div>');
  await after(60_000);
  expect(current().version).toBe('1.0.0-a');
  document.querySelector('[role="dialog"]')?.remove();
  await after(10_000);
  expect(current().version).toBe('1.0.0-b');
});

it.each([
  ['keeps its release', 'input', '1.0.0-a'],
  ['gets the new release when another remote', 'textarea', '1.0.0-b'],
])('a page %s that holds user input', async (_, selector, version) => {
  type(document.querySelector(selector) as Element);
  goLive();
  await after(300_000);
  expect(current().version).toBe(version);
});

it('a tab does not reload for a new shell while any page holds user input', async () => {
  type(document.querySelector('textarea') as Element);
  change('1.0.0-a', '4.1.0-s');
  await after(300_000);
  expect(reload).not.toHaveBeenCalled();
});

it('a page on screen stays when the user began to type while the new release was loading', async () => {
  loader.load.mockImplementation(async (release) => {
    type(field());
    return { release, module: { Component: () => null } };
  });
  goLive();
  await after(20_000);
  expect(current().version).toBe('1.0.0-a');
  expect(loader.show).not.toHaveBeenCalled();
});

it('a rolled-back release is removed by a reload of the document in the next pause', async () => {
  await after(60_000);
  rollBack();
  document.dispatchEvent(new Event('keydown'));
  await after(1_900);
  expect(reload).not.toHaveBeenCalled();
  await after(3_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

it('a rolled-back release is dropped at once while another remote is on screen, even if user input prevents the reload', async () => {
  onScreen = { remote: 'account', page: './user' };
  type(document.querySelector('textarea') as Element);
  rollBack();
  await after(60_000);
  expect(loader.unload.mock.calls.map(([{ version }]) => version)).toEqual(['1.0.0-a']);
  expect(current().version).toBe('1.0.0-0');
  expect(reload).not.toHaveBeenCalled();
});

it('clicks in a form that change nothing do not keep a rolled-back release', async () => {
  const page = document.querySelector('[data-remote="catalog"]') as HTMLElement;
  page.innerHTML =
    '<form><div role="radiogroup"><i role="radio" aria-checked="true"></i></div><button>Buy</button></form>';
  for (const element of page.querySelectorAll('i, button'))
    element.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  rollBack();
  await after(10_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

/** A control of the page, and its attribute that a click changes. */
const changed = (control: string, attribute: string): [() => void, () => void] => {
  const page = () => document.querySelector('[data-remote="catalog"]') as HTMLElement;
  const change = () => {
    page().innerHTML = control;
    page()
      .querySelector('i')
      ?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    page()
      .querySelector(`[${attribute}]`)
      ?.setAttribute(attribute, attribute === 'value' ? '2' : 'true');
  };
  return [change, () => page().replaceChildren()];
};

it('a rolled-back release stays while its page holds text that the shopper typed, until it is submitted and accepted', async () => {
  document.querySelector('[data-remote="catalog"]')?.replaceChildren(document.createElement('form'));
  document.querySelector('form')?.append(document.createElement('input'));
  type(field());
  rollBack();
  await after(120_000);
  document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true }));
  await after(60_000);
  expect(reload).not.toHaveBeenCalled();
  expect(loader.unload).not.toHaveBeenCalled();
  changingCalls.lastSuccess = Date.now();
  await after(10_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

it.each<[string, () => void, () => void]>([
  [
    'a changed choice',
    ...changed('<div role="radiogroup"><i role="radio" aria-checked="false"></i></div>', 'aria-checked'),
  ],
  ['a changed switch', ...changed('<i role="switch" aria-checked="false"></i>', 'aria-checked')],
  ['a changed quantity', ...changed('<div class="ui-stepper"><i></i><input value="1"></div>', 'value')],
  [
    'a call that changes something',
    () => Object.assign(changingCalls, { pending: 1 }),
    () => Object.assign(changingCalls, { pending: 0, lastEnd: Date.now() }),
  ],
  [
    'a payment that is waited for',
    () => Object.assign(document.documentElement.dataset, { holds: '1' }),
    () => void delete document.documentElement.dataset.holds,
  ],
  [
    'an open dialog',
    () => document.body.insertAdjacentHTML('beforeend', '<div role="dialog"></div>'),
    () => document.querySelector('[role="dialog"]')?.remove(),
  ],
])('the reload after a rollback waits for %s', async (_, begin, end) => {
  begin();
  rollBack();
  await after(120_000);
  expect(reload).not.toHaveBeenCalled();
  end();
  await after(10_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

it('the reload after a rollback does not wait for a prompt that the shop shows on its own', async () => {
  document.body.insertAdjacentHTML('beforeend', '<div role="dialog"><p data-unasked></p></div>');
  rollBack();
  await after(10_000);
  document.querySelector('[role="dialog"]')?.remove();
  expect(reload).toHaveBeenCalledTimes(1);
});

it('the next navigation that loses nothing removes a rolled-back release', async () => {
  expect(claimCleanLoad(releases)).toBe(false);
  type(field());
  rollBack();
  expect(claimCleanLoad(releases)).toBe(false);
  field().value = '';
  expect(claimCleanLoad(releases)).toBe(true);
  expect(claimCleanLoad(releases)).toBe(false);
});

it('a tab does not reload when the browser has no storage to space reloads with', async () => {
  const refused = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('SecurityError');
  });
  rollBack();
  await after(60_000);
  refused.mockRestore();
  expect(reload).not.toHaveBeenCalled();
});
