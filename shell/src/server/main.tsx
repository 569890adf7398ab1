/** The shell's server build: renders public pages with the server builds of the remotes (docs/adr/0007-server-side-rendering.md). */
import {
  MAX_WANTED,
  type PageMap,
  type PageRenderer,
  type ReleaseSet,
  type RenderedPage,
  type RenderRequest,
  SERVER_MAIN,
} from '@platform/releases/contract';
import '@shop/shared/forms';
import type { Container } from '@platform/host/containers';
import type { RemoteLoader } from '@platform/host/remote-loader';
import { configureHttp, giveAnswers } from '@shop/shared/http';
import { changeLanguage } from '@shop/shared/i18n';
import { queryClient } from '@shop/shared/query';
import { RouterProvider } from '@shop/shared/router';
import type { PageModule } from '@shop/shared/routing';
// biome-ignore lint/style/noRestrictedImports: browsers get the singleton without it
import { enableStaticRendering } from 'mobx-react-lite';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
// biome-ignore lint/style/noRestrictedImports: browsers get the singleton without it
import { createMemoryRouter } from 'react-router';
import { takeUser } from '../app/rendered-document';
import { shopRoutes, startData } from '../app/router';
import { routeOf } from '../guard/guard';
import { createStores, ShellRoot } from '../shell-context';
import '../texts';

// The bundler replaces these.
declare const __webpack_init_sharing__: (scope: 'default') => unknown;
declare const __webpack_share_scopes__: { default: unknown };
declare const __non_webpack_require__: NodeJS.Require;

enableStaticRendering(true);

/** A page that suspends is rendered again when its modules have loaded; each nested one takes a round. */
const maxRounds = 4;
const suspended = '<!--$!-->';
/** The origin is never visible. */
const origin = 'http://shop.invalid';

const warmUp: RenderRequest = { path: '/404', language: 'zh-CN', currency: 'CNY', theme: 'light', answers: {} };

export async function createRenderer({ map, remotes }: ReleaseSet): Promise<PageRenderer> {
  await __webpack_init_sharing__('default');
  const containers = new Map<string, Container>();
  for (const [name, { directory }] of Object.entries(remotes)) {
    const container = __non_webpack_require__(`${directory}/${SERVER_MAIN}`) as Container;
    await container.init(__webpack_share_scopes__.default);
    containers.set(name, container);
  }
  const pages = new Map<string, PageModule>();
  const loadPage = async (remote: string, page: string): Promise<void> => {
    const key = `${remote}/${page}`;
    if (pages.has(key)) return;
    const factory = await containers.get(remote)?.get(page);
    if (!factory) throw new Error(`no server build has ${key}`);
    pages.set(key, factory() as PageModule);
  };
  const loader: RemoteLoader = {
    peek: (release, page) => {
      const module = pages.get(`${release.name}/${page}`);
      return module && { module, release };
    },
    load: () => Promise.reject(new Error('a server loads no page while it renders')),
    loadFallback: () => Promise.reject(new Error('a server has no fallback')),
    show() {},
    unload() {},
  };

  const render = (request: RenderRequest) => renderPage(request, map, loader, loadPage);
  // The first render takes ten times as long as the next, so no request should wait for it.
  let last: Promise<unknown> = render(warmUp).catch(() => {});
  await last;
  return {
    render(request) {
      const page = last.then(() => render(request));
      last = page.catch(() => {});
      return page;
    },
  };
}

async function renderPage(
  request: RenderRequest,
  map: PageMap,
  loader: RemoteLoader,
  loadPage: (remote: string, page: string) => Promise<void>,
): Promise<RenderedPage> {
  const { language, currency, theme, path } = request;
  const wanted = new Set<string>();
  const url = new URL(path, origin);
  queryClient.clear();
  await changeLanguage(language);
  configureHttp({
    token: () => '',
    language: () => language,
    currency: () => currency,
    onUnauthorized() {},
    onForbidden() {},
    onNotice() {},
  });
  const { user, answers } = request.isSignedIn ? takeUser(request.answers) : { answers: request.answers };
  const left = giveAnswers(answers, { token: '', language, currency }, (address) => wanted.add(address));

  // The map of a set contains one release of each name.
  const shell = createStores(map, 0, () => loader);
  shell.preferences.startWith({ language, theme });
  // The session has no real token: calls use the given answers.
  if (user) shell.session.startWith(user, 'rendered');
  // With an address, as in the browser, so that the dialog says where the user continues.
  if (request.asksToSignIn) void shell.overlays.openLogin(request.path);
  const route = routeOf(shell.releases.routes, url.pathname);
  void shell.appConfig.load();
  if (route) {
    await loadPage(route.remote, route.page);
    const release = shell.releases.current(route.remote);
    const page = release && loader.peek(release, route.page);
    if (page) startData(page.module, route, url);
  }
  await settled();
  if (request.isDraft && wanted.size > 0)
    return { html: '', queryState: '{}', wanted: [...wanted].slice(0, MAX_WANTED) };

  const router = createMemoryRouter(shopRoutes(shell), { initialEntries: [url.pathname + url.search] });
  try {
    const html = await renderWhole(
      <StrictMode>
        <ShellRoot shell={shell}>
          <RouterProvider router={router} useTransitions={false} />
          {null}
        </ShellRoot>
      </StrictMode>,
    );
    const used = Object.entries(request.answers).filter(([address]) => !(address in left));
    return {
      ...takePreloads(html),
      queryState: JSON.stringify(Object.fromEntries(used)),
      wanted: [...wanted].slice(0, MAX_WANTED),
    };
  } finally {
    router.dispose();
    queryClient.clear();
  }
}

async function renderWhole(element: React.ReactElement): Promise<string> {
  let html = '';
  for (let round = 0; round < maxRounds; round += 1) {
    html = renderToString(element);
    if (!html.includes(suspended)) break;
    await settled();
  }
  return html;
}

/** Resolves when all promises without I/O have settled. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

const preloads = /^(?:<link rel="preload"[^>]*\/>)+/;

/** React writes preloads of pictures before the tree; they belong into the head. Only the first urgent picture is kept. */
function takePreloads(rendered: string): Pick<RenderedPage, 'html' | 'image'> {
  const match = preloads.exec(rendered)?.[0] ?? '';
  const html = rendered.slice(match.length);
  const urgent = /<link [^>]*fetchPriority="high"[^>]*>/i.exec(match)?.[0];
  const href = urgent && attribute(urgent, 'href');
  if (!href) return { html };
  const srcset = attribute(urgent, 'imageSrcSet');
  const sizes = attribute(urgent, 'imageSizes');
  return { html, image: { href, ...(srcset && { srcset }), ...(sizes && { sizes }) } };
}

function attribute(element: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`, 'i').exec(element)?.[1];
  return value
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
