import type { PageMap } from '@shop/release/contract';
import { makeAutoObservable, observableRef, runInAction } from '@shop/shared/state';
import { refreshOnIdle } from './refresh-on-idle';
import type { Release } from './release-map';
import type { RemoteLoader } from './remote-loader';

const releaseOf = (version: string) => ({ name: 'catalog', version }) as Release;

/** A stub of the store; the map is only a revision. */
class Releases {
  map = { rev: 1 } as PageMap;
  active = releaseOf('1.0.0-a');
  live = releaseOf('1.0.0-a');
  needsFullLoad = false;
  constructor() {
    makeAutoObservable(this, { map: observableRef, active: observableRef, live: observableRef });
  }
  current = () => this.active;
  offered = () => this.live;
  applyReleaseMap = () => {
    runInAction(() => {
      this.active = this.live;
    });
    return this.active;
  };
  change(what: { live?: Release; needsFullLoad?: boolean }): void {
    runInAction(() => Object.assign(this, what, { map: { rev: this.map.rev + 1 } }));
  }
}

let stop: () => void;
let releases: Releases;
let loader: jest.Mocked<RemoteLoader>;
const reload = jest.fn();
const after = (milliseconds: number) => jest.advanceTimersByTimeAsync(milliseconds);
const field = () => document.querySelector('input') as HTMLInputElement;
const type = (element: Element) => element.dispatchEvent(new Event('input', { bubbles: true }));

beforeEach(() => {
  jest.useFakeTimers();
  reload.mockReset();
  document.body.innerHTML =
    '<div data-remote="catalog"><input></div><div data-remote="account"><textarea></textarea></div>';
  releases = new Releases();
  loader = {
    load: jest.fn(async (release: Release, _page: string) => ({ release, module: { Component: () => null } })),
    loadFallback: jest.fn(),
    show: jest.fn(),
    peek: jest.fn(),
  };
  stop = refreshOnIdle({ releases, loader, onScreen: () => ({ remote: 'catalog', page: './home' }), reload });
});
afterEach(() => {
  stop();
  jest.useRealTimers();
});

describe('an idle tab', () => {
  it('switches to the live release within ten seconds', async () => {
    releases.change({ live: releaseOf('1.0.0-b') });
    await after(10_000);
    expect(releases.active.version).toBe('1.0.0-b');
  });

  it('switches only after the code of the new page has loaded', async () => {
    let resolveLoad: () => void = () => {};
    loader.load.mockImplementation(
      (release) =>
        new Promise((resolve) => {
          resolveLoad = () => resolve({ release, module: { Component: () => null } });
        }),
    );
    releases.change({ live: releaseOf('1.0.0-b') });
    await after(10_000);
    expect(releases.active.version).toBe('1.0.0-a');
    resolveLoad();
    await after(0);
    expect(releases.active.version).toBe('1.0.0-b');
  });

  it('keeps its release when the new one does not load, and does not retry', async () => {
    loader.load.mockImplementation(async () => ({ release: releases.active, module: { Component: () => null } }));
    releases.change({ live: releaseOf('1.0.0-b') });
    await after(120_000);
    expect([releases.active.version, loader.load.mock.calls.length]).toEqual(['1.0.0-a', 1]);
  });

  it('reloads for a new shell', async () => {
    releases.change({ needsFullLoad: true });
    await after(10_000);
    expect(reload).toHaveBeenCalled();
  });
});

describe('a tab in use', () => {
  it('waits until there has been no input for a while', async () => {
    await after(20_000);
    releases.change({ live: releaseOf('1.0.0-b') });
    for (let seconds = 0; seconds < 60; seconds += 2) {
      document.dispatchEvent(new Event('pointerdown'));
      await after(2_000);
    }
    expect(releases.active.version).toBe('1.0.0-a');
    await after(10_000);
    expect(releases.active.version).toBe('1.0.0-b');
  });

  it('keeps a page of that remote that holds user input', async () => {
    type(field());
    releases.change({ live: releaseOf('1.0.0-b') });
    await after(300_000);
    expect(releases.active.version).toBe('1.0.0-a');
  });

  it('ignores input in a page of another remote', async () => {
    type(document.querySelector('textarea') as Element);
    releases.change({ live: releaseOf('1.0.0-b') });
    await after(20_000);
    expect(releases.active.version).toBe('1.0.0-b');
  });

  it('does not reload while any page holds user input', async () => {
    type(document.querySelector('textarea') as Element);
    releases.change({ needsFullLoad: true });
    await after(300_000);
    expect(reload).not.toHaveBeenCalled();
  });

  it('waits while a dialog is open', async () => {
    const dialog = document.body.appendChild(document.createElement('div'));
    dialog.setAttribute('role', 'dialog');
    releases.change({ live: releaseOf('1.0.0-b') });
    await after(60_000);
    expect(releases.active.version).toBe('1.0.0-a');
    dialog.remove();
    await after(10_000);
    expect(releases.active.version).toBe('1.0.0-b');
  });

  it('keeps the page on screen when typing began while the new one was loading', async () => {
    loader.load.mockImplementation(async (release) => {
      type(field());
      return { release, module: { Component: () => null } };
    });
    releases.change({ live: releaseOf('1.0.0-b') });
    await after(20_000);
    expect(releases.active.version).toBe('1.0.0-a');
    expect(loader.show).not.toHaveBeenCalled();
  });
});
