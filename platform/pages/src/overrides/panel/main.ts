/**
 * The panel for overrides: which release of each name this tab has, and others in its place. The server puts this script only into documents
 * for a browser that has shown its right, and decides again for each release that is asked for. It runs before the shell.
 */
import type { PageMap } from '@platform/releases/contract';
import type { PanelState } from '../panel-state';
import { loadingTrace, type NotedRequest, type ShownPage, type TraceStep } from './loading-trace';
import { drawPanel } from './panel-view';
import { styles } from './styles';
import { hasOwnMachine, tabReleases } from './tab-releases';
import { textsOf } from './texts';

const STATE_URL = '/overrides/state';
const HASH = '#overrides';
/** The browser notes 250 requests by default, which a few pages fill. */
const MOST_REQUESTS = 3_000;

export function startPanel(): void {
  performance.setResourceTimingBufferSize?.(MOST_REQUESTS);
  const shown = watchShownPages();
  const host = document.createElement('div');
  host.id = 'overrides';
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  const launch = document.createElement('button');
  launch.type = 'button';
  launch.className = 'launch';
  launch.setAttribute('aria-haspopup', 'dialog');
  launch.setAttribute('aria-keyshortcuts', 'Alt+Shift+O');
  const dialog = document.createElement('dialog');
  root.append(launch, dialog);
  document.body.append(host);

  const name = () => {
    const { launch: label, origin } = textsOf(document.documentElement.lang);
    launch.textContent = hasOwnMachine(readMap()) ? `${label} · ${origin['own-machine']}` : label;
  };
  name();
  new MutationObserver(name).observe(document.documentElement, { attributeFilter: ['lang'] });

  let asked = 0;
  const open = () => {
    const { lang, dataset } = document.documentElement;
    const question = ++asked;
    dialog.dataset.theme = dataset.theme === 'dark' ? 'dark' : 'light';
    dialog.lang = lang;
    const draw = (state: PanelState | null, isLoading: boolean) => {
      const map = readMap();
      const steps = traceOf(map, shown);
      const releases = tabReleases(map, visitorOf(document.cookie), steps, state);
      drawPanel(dialog, { texts: textsOf(lang), map, state, isLoading, releases, steps, onRetry: load });
    };
    const load = () => {
      draw(null, true);
      askState().then(
        (state) => question === asked && draw(state, false),
        () => question === asked && draw(null, false),
      );
    };
    load();
    if (!dialog.open) dialog.showModal();
  };
  launch.addEventListener('click', open);
  window.addEventListener('keydown', (event) => {
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyO') return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
  if (location.hash === HASH) {
    history.replaceState(history.state, '', location.pathname + location.search);
    open();
  }
}

async function askState(): Promise<PanelState> {
  const response = await fetch(STATE_URL, { cache: 'no-store' });
  if (!response.ok) throw new Error(`${STATE_URL} answered ${response.status}`);
  return (await response.json()) as PanelState;
}

/** As the host reads it. */
const readMap = (): PageMap => JSON.parse(document.getElementById('release-map')?.textContent ?? '') as PageMap;

function visitorOf(cookies: string): number | null {
  const [, given] = /(?:^|;\s*)visitor=([0-9.]+)/.exec(cookies) ?? [];
  return given === undefined ? null : Number(given);
}

function traceOf(map: PageMap, shown: readonly ShownPage[]): TraceStep[] {
  const noted = (type: string) => performance.getEntriesByType(type) as unknown as NotedRequest[];
  const [navigation] = noted('navigation');
  return loadingTrace({
    origin: location.origin,
    map,
    navigation,
    requests: noted('resource'),
    marks: performance.getEntriesByType('mark'),
    shown,
  });
}

/** A page is shown when its element is on screen, and nothing in it says that it is still busy. */
function watchShownPages(): ShownPage[] {
  const pages: ShownPage[] = [];
  let isAsked = false;
  const look = () => {
    isAsked = false;
    for (const page of document.querySelectorAll<HTMLElement>('[data-remote]')) {
      const { remote: name = '' } = page.dataset;
      const isOnScreen = page.checkVisibility?.() ?? true;
      if (!isOnScreen || !page.hasChildNodes() || page.querySelector('[aria-busy="true"]')) continue;
      const { pathname: path } = location;
      const last = pages.at(-1);
      if (last?.name === name && last.path === path) return;
      pages.push({ name, path, at: performance.now() });
      return;
    }
  };
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(look);
  };
  ask();
  const changes = { subtree: true, childList: true, attributeFilter: ['aria-busy', 'hidden', 'style', 'class'] };
  new MutationObserver(ask).observe(document.body, changes);
  return pages;
}

startPanel();
