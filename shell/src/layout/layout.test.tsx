import { get } from '@shop/shared/http';
import { useQuery } from '@shop/shared/query';
import { usePageTitle, useSearchParams } from '@shop/shared/router';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { closeShell, endShell, navigate, renderShell, type TestPage } from '../testing/render-shell';
import { useTexts } from '../texts';

/** In px; jsdom has no layout. */
function scrollTo(position: number): void {
  Object.defineProperty(window, 'scrollY', { value: position, configurable: true });
  act(() => void fireEvent.scroll(window));
}
/** Stubs matchMedia; other queries do not match. */
function stubMedia(matching: Record<string, boolean>): (query: string, matches: boolean) => void {
  const lists = new Map<string, EventTarget>();
  window.matchMedia = (query) => {
    const isMatching = () => matching[query] ?? false;
    const list = lists.get(query) ?? Object.defineProperty(new EventTarget(), 'matches', { get: isMatching });
    lists.set(query, list);
    return list as MediaQueryList;
  };
  return (query, matches) => {
    matching[query] = matches;
    act(() => void lists.get(query)?.dispatchEvent(new Event('change')));
  };
}
const matchMedia = window.matchMedia;
const desktop = '(min-width: 960px)';
const darkDevice = '(prefers-color-scheme: dark)';

afterEach(() => {
  jest.useRealTimers();
  window.matchMedia = matchMedia;
  endShell();
  Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
});

it('the top bar shows menu, brand, search and tab bar by the route’s flags', async () => {
  await renderShell('/home');
  const bar = screen.getByRole('banner');
  expect(within(bar).getByRole('button', { name: '打开菜单' })).toBeVisible();
  expect(within(bar).getByRole('link', { name: '搜索游戏' })).toHaveAttribute('href', '/search');
  expect(within(bar).queryByRole('heading')).not.toBeInTheDocument();
  const tabs = within(screen.getByRole('navigation', { name: '主导航' })).getAllByRole('link');
  expect(tabs.map((tab) => [tab.textContent, tab.getAttribute('href')])).toEqual([
    ['游戏', '/home'],
    ['我的订单', '/order'],
    ['我的', '/user'],
  ]);
  expect(tabs[0]).toHaveAttribute('aria-current', 'page');
  expect(screen.getByRole('navigation', { name: '主导航' })).not.toHaveClass('shell-desktop');
});

it('a shopper has unread notices in the tab bar, and the account with its picture in the header', async () => {
  const balances = { CNY: '1.00', USD: '1.00' };
  const info = { id: 7, nickname: '小星', avatar: '/u/a.png', balances, unread_notices: 3 };
  await renderShell('/home', { token: 'Bearer x', api: { 'GET /api/front/user/info': info } });
  const account = within(screen.getByRole('banner')).getByRole('link', { name: '我的账号' });
  expect(account).toHaveAttribute('href', '/user');
  await waitFor(() => expect(account.querySelector('img')).toHaveAttribute('src', '/u/a.png'));
  const tabs = within(screen.getByRole('navigation', { name: '主导航' })).getAllByRole('link');
  expect(tabs[1]).toHaveAccessibleName('我的订单 3 条未读通知');
  expect(tabs[0]).toHaveAccessibleName('游戏');
});

it('the top bar shows Back and the title, and no tab bar, by the route’s flags', async () => {
  await renderShell('/goods');
  const bar = screen.getByRole('banner');
  expect(within(bar).getByText('全部游戏')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('全部游戏');
  expect(within(bar).queryByRole('link', { name: '搜索游戏' })).not.toBeInTheDocument();
  expect(screen.getByRole('navigation', { name: '主导航' })).toHaveClass('shell-desktop');
  await userEvent.click(within(bar).getByRole('button', { name: '返回' }));
  // The history has no earlier entry.
  await waitFor(() => expect(window.location.pathname).toBe('/home'));
});

it('the top bar is transparent until scroll position 40 on a route with that flag', async () => {
  await renderShell('/goods/7');
  const bar = screen.getByRole('banner');
  expect(bar).toHaveClass('shell-top-bar--transparent');
  scrollTo(39);
  expect(bar).toHaveClass('shell-top-bar--transparent');
  scrollTo(40);
  expect(bar).not.toHaveClass('shell-top-bar--transparent');
  scrollTo(0);
  expect(bar).toHaveClass('shell-top-bar--transparent');
});

it.each([
  [{ topBar: false }, [false, false, false]],
  [{ topBar: true }, [true, false, false]],
  [{ topBar: true, fixed: true }, [true, true, false]],
  [{ topBar: true, fixed: true, placeholder: true }, [true, true, true]],
])('the top bar follows the flags %j', async (flags, expected) => {
  await renderShell('/x', { pages: [{ path: '/x', flags }] });
  const bar = screen.queryByRole('banner');
  expect([
    bar !== null,
    bar?.classList.contains('shell-top-bar--fixed') ?? false,
    screen.getByRole('main').classList.contains('shell-main--placeholder'),
  ]).toEqual(expected);
});

it('the top bar uses a smaller font for a long title', async () => {
  const title = 'Children’s personal information protection guide';
  await renderShell('/x', { pages: [{ path: '/x', title, flags: { topBar: true, showTitle: true } }] });
  expect(document.querySelector('.shell-top-bar__title')).toHaveClass('shell-top-bar__title--long');
});

it('a desktop has tabs, search, theme, language and sign-in in the header, one title above the page, and a footer', async () => {
  stubMedia({ [desktop]: true });
  const { shell } = await renderShell('/goods');
  const bar = screen.getByRole('banner');
  expect(within(within(bar).getByRole('navigation')).getAllByRole('link')).toHaveLength(3);
  for (const name of ['切换到深色', 'EN · $ Switch to English'])
    expect(within(bar).getByRole('button', { name })).toBeVisible();
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  expect(within(screen.getByRole('main')).getByRole('heading', { level: 1 })).toHaveTextContent('全部游戏');
  const footer = await screen.findByRole('contentinfo');
  expect(within(footer).getByRole('link', { name: '儿童个人信息保护指引' })).toHaveAttribute('href', '/article/guide');
  await waitFor(() => expect(footer).toHaveTextContent('© 星点 备案 1 号'));
  await userEvent.click(within(bar).getByRole('button', { name: '登录' }));
  expect(await screen.findByRole('dialog', { name: '登录' })).toBeVisible();
  act(() => shell.overlays.closeAccount());
});

it('the header searches for the typed text', async () => {
  const search = { path: '/search', flags: { topBar: true } };
  const api = { 'GET /api/front/search/suggest': [] };
  await renderShell('/home', { pages: [{ path: '/home', flags: { topBar: true } }, search], api });
  await userEvent.type(screen.getByRole('combobox', { name: '搜索游戏' }), ' 原神 & 1{Enter}');
  await waitFor(() => expect(window.location.pathname).toBe('/search'));
  expect(new URLSearchParams(window.location.search).get('keyword')).toBe('原神 & 1');
  const field = () => screen.getByRole('combobox', { name: '搜索游戏' });
  await waitFor(() => expect(field()).toHaveValue('原神 & 1'));
  await navigate('/search?keyword=Steam');
  await waitFor(() => expect(field()).toHaveValue('Steam'));
  await navigate('/home');
  await waitFor(() => expect(field()).toHaveValue(''));
});

it('a page with a title of its own shows it in the bar and in the tab, and keeps it while it is kept alive', async () => {
  const named: TestPage = {
    path: '/goods/:id',
    title: '商品',
    flags: { topBar: true, showTitle: true, transparent: true },
    Component: function Named() {
      usePageTitle('原神');
      return <h1>原神</h1>;
    },
  };
  await renderShell('/goods/7', { pages: [named, { path: '/home', title: '首页', flags: { topBar: true } }] });
  expect(document.title).toBe('原神 - 星点');
  expect(document.querySelector('.shell-top-bar__title')).toHaveTextContent('原神');
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
  await navigate('/home');
  expect(document.title).toBe('首页 - 星点');
  await navigate('/goods/7');
  expect(document.title).toBe('原神 - 星点');
});

it.each([
  ['', false, 'smooth'],
  [', without animation when reduced motion is preferred', true, 'auto'],
])(
  'the back-to-top button appears at offset 200, throttled to 100 ms, and scrolls up%s',
  async (_, isReduced, behavior) => {
    stubMedia({ '(prefers-reduced-motion: reduce)': isReduced });
    await renderShell('/home');
    jest.useFakeTimers();
    const scrolled = jest.spyOn(window, 'scrollTo').mockImplementation(() => {});
    const button = () => screen.queryByRole('button', { name: '回到顶部' });
    scrollTo(199);
    act(() => void jest.advanceTimersByTime(100));
    expect(button()).not.toBeInTheDocument();
    scrollTo(200);
    act(() => void jest.advanceTimersByTime(99));
    expect(button()).not.toBeInTheDocument();
    act(() => void jest.advanceTimersByTime(1));
    expect(button()).toBeVisible();
    fireEvent.click(button() as HTMLElement);
    expect(scrolled).toHaveBeenCalledWith({ top: 0, behavior });
    expect(screen.getByRole('main')).toHaveFocus();
    scrolled.mockRestore();
  },
);

describe('the drawer', () => {
  const open = async () => {
    await userEvent.click(screen.getByRole('button', { name: '打开菜单' }));
    return screen.findByRole('dialog', { name: '菜单' });
  };

  it('the drawer lists home, coupons, support, the other entries, social networks and the server’s articles, in this order', async () => {
    const { requests } = await renderShell('/home');
    expect(requests.filter(({ url }) => url === '/api/front/article/all')).toEqual([]);
    const drawer = await open();
    await within(drawer).findByRole('link', { name: '隐私政策' });
    const links = within(drawer).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/home',
      '/user/coupon',
      '/goods',
      'https://social.example/1',
      '/article/agreement',
      '/article/guide',
      '/article/privacy',
    ]);
    const items = [...drawer.querySelectorAll('a, button')].map((item) => item.textContent);
    expect(items.indexOf('联系客服')).toBe(items.indexOf('优惠券') + 1);
    expect(items.indexOf('全部游戏')).toBe(items.indexOf('联系客服') + 1);
    const social = within(drawer).getByRole('link', { name: '微博' });
    expect(social).toHaveAttribute('rel', 'noopener noreferrer');
    expect(drawer).toHaveTextContent('© 星点 备案 1 号');
  });

  it('the drawer replaces the menu of language and theme that its button opens before hydration', async () => {
    await renderShell('/home');
    const menu = screen.getByRole('button', { name: '打开菜单' });
    const before = document.getElementById(menu.getAttribute('popovertarget') ?? '') as HTMLElement;
    expect(within(before).getByRole('button', { name: '切换到深色' })).toHaveAttribute('type', 'submit');
    before.hidePopover = jest.fn();
    // Prevented, or the browser would show it again.
    expect(fireEvent.click(menu)).toBe(false);
    expect(before.hidePopover).toHaveBeenCalledTimes(1);
    expect(await screen.findByRole('dialog', { name: '菜单' })).toBeVisible();
  });

  it('the drawer opens the support dialog with QR code, hours and link from the config', async () => {
    await renderShell('/home');
    await userEvent.click(within(await open()).getByRole('button', { name: '联系客服' }));
    const dialog = await screen.findByRole('dialog', { name: '联系客服' });
    const code = within(dialog).getByRole('img', { name: '客服二维码' });
    expect(code).toHaveAttribute('src', '/qr.png');
    // A phone cannot scan itself, and has the link.
    expect(code.closest('.shell-desktop')).toBeInTheDocument();
    expect(dialog).toHaveTextContent('9:00-23:00');
    expect(within(dialog).getByRole('link', { name: '在线咨询' })).toHaveAttribute('href', 'https://chat.example/1');
    await userEvent.click(within(dialog).getByRole('button', { name: '关闭' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });
});

it('the watermark has sixteen icons, hidden from assistive technology', async () => {
  const { container } = await renderShell('/home');
  const watermark = container.querySelector('.shell-watermark');
  expect(watermark).toHaveAttribute('aria-hidden', 'true');
  expect(watermark?.querySelectorAll('svg')).toHaveLength(16);
});

describe('keep-alive pages', () => {
  const mounts: string[] = [];
  function counting(path: string, flags: TestPage['flags'] = { topBar: true }): TestPage {
    return {
      path,
      flags,
      Component: function Counting() {
        const [count, setCount] = useState(0);
        useState(() => void mounts.push(path));
        return <button type="button" onClick={() => setCount(count + 1)}>{`${path} ${count}`}</button>;
      },
    };
  }
  beforeEach(() => {
    mounts.length = 0;
    jest.spyOn(console, 'warn').mockImplementation(() => {});
  });
  afterEach(() => jest.restoreAllMocks());

  const browserKeepsLayout = () =>
    Object.assign(globalThis, { CSS: { supports: (property: string) => property === 'content-visibility' } });
  afterEach(() => void Reflect.deleteProperty(globalThis, 'CSS'));
  const nextFrame = () => act(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));

  it('kept-alive pages keep their layout while hidden, also when they change, in a supporting browser', async () => {
    browserKeepsLayout();
    let change = () => {};
    const changing: TestPage = {
      ...counting('/a'),
      Component: function Changing() {
        const [rows, setRows] = useState(1);
        change = () => setRows(rows + 1);
        return (
          <ul>
            {Array.from({ length: rows }, (_, row) => (
              <li key={row}>row</li>
            ))}
          </ul>
        );
      },
    };
    const { container } = await renderShell('/a', { pages: [changing, counting('/b')] });
    const [page] = container.querySelectorAll<HTMLElement>('.shell-kept');
    await navigate('/b');
    await nextFrame();
    expect(page).toHaveAttribute('data-away');
    expect(page?.firstElementChild).not.toHaveStyle({ display: 'none' });
    await act(async () => change());
    await waitFor(() => expect(page?.querySelectorAll('li')).toHaveLength(2));
    // React has hidden it again. Without a layout it has no height, and its scroll position cannot be restored.
    expect(page?.firstElementChild).toHaveStyle({ display: 'none' });
    const displays: string[] = [];
    const scrolled = jest.spyOn(window, 'scrollTo').mockImplementation(() => {
      displays.push(getComputedStyle(page?.firstElementChild as Element).display);
    });
    await navigate('/a');
    scrolled.mockRestore();
    expect(page).not.toHaveAttribute('data-away');
    expect(page?.firstElementChild).not.toHaveStyle({ display: 'none' });
    expect(displays).toEqual(['block']);
  });

  it('a page is shown before the effects of the last page end, and a kept-alive page before its own run, unless the language has changed', async () => {
    browserKeepsLayout();
    const effects: string[] = [];
    const effectful = (path: string): TestPage => ({
      path,
      Component: function Effectful() {
        useEffect(() => {
          effects.push(`${path} starts`);
          return () => void effects.push(`${path} ends`);
        }, []);
        return <p>{path}</p>;
      },
    });
    const { container, shell } = await renderShell('/a', { pages: [effectful('/a'), effectful('/b')] });
    await navigate('/b');
    expect(effects).toEqual(['/a starts', '/b starts']);
    await nextFrame();
    expect(effects.splice(0)).toEqual(['/a starts', '/b starts', '/a ends']);
    await navigate('/a');
    const pageOf = (text: string) => within(container).getByText(text).closest('.shell-kept');
    expect(pageOf('/a')).not.toHaveAttribute('data-away');
    expect(pageOf('/b')).toHaveAttribute('data-away');
    expect(effects).toEqual([]);
    await nextFrame();
    expect(effects.splice(0)).toEqual(['/b ends', '/a starts']);
    act(() => shell.preferences.toggleLanguage());
    await navigate('/b');
    expect(effects).toEqual(['/b starts']);
  });

  it('kept-alive pages do not render when another page is shown or hidden', async () => {
    const renders: string[] = [];
    const rendering = (path: string): TestPage => ({
      path,
      Component: function Rendering() {
        renders.push(path);
        return <p>{path}</p>;
      },
    });
    await renderShell('/a', { pages: ['/a', '/b', '/c'].map(rendering) });
    await navigate('/b');
    await navigate('/c');
    renders.length = 0;
    await navigate('/a');
    await navigate('/b');
    expect(renders).toEqual([]);
  });

  it('pages with the flag against keep-alive are remounted', async () => {
    await renderShell('/a', { pages: [counting('/a', { topBar: true, keepAlive: false }), counting('/b')] });
    await userEvent.click(screen.getByRole('button', { name: '/a 0' }));
    await navigate('/b');
    await navigate('/a');
    expect(screen.getByRole('button', { name: '/a 0' })).toBeVisible();
    expect(mounts).toEqual(['/a', '/b', '/a']);
  });

  it.each([true, false])(
    'stay mounted when only query or hash change, with focus and scroll (kept alive: %s)',
    async (keepAlive) => {
      const filtered: TestPage = {
        ...counting('/a', { topBar: true, keepAlive }),
        Component: function Filtered() {
          const [search, setSearch] = useSearchParams();
          useState(() => void mounts.push('/a'));
          return (
            <button type="button" onClick={() => setSearch({ sort: 'price' }, { replace: true })}>
              {`by ${search.get('sort') ?? 'name'}`}
            </button>
          );
        },
      };
      await renderShell('/a', { pages: [filtered] });
      scrollTo(600);
      const scrolled = jest.spyOn(window, 'scrollTo');
      await userEvent.click(screen.getByRole('button', { name: 'by name' }));
      expect(screen.getByRole('button', { name: 'by price' })).toHaveFocus();
      await navigate('/a?sort=price#main');
      expect(screen.getByRole('button', { name: 'by price' })).toHaveFocus();
      expect(mounts).toEqual(['/a']);
      expect(scrolled.mock.calls.filter(([, top]) => top !== 600)).toEqual([]);
    },
  );

  it('kept-alive pages keep their state, open at the top at a new address, and at the old scroll position at an earlier one', async () => {
    await renderShell('/a', { pages: [counting('/a'), counting('/b')] });
    await userEvent.click(screen.getByRole('button', { name: '/a 0' }));
    scrollTo(1400);
    const scrolled = jest.spyOn(window, 'scrollTo');
    await navigate('/b');
    await navigate('/a?tab=finished');
    expect(scrolled).toHaveBeenLastCalledWith(0, 0);
    scrollTo(300);
    await navigate('/a?tab=unpaid');
    expect(scrolled).toHaveBeenLastCalledWith(0, 0);
    await navigate('/a?tab=finished');
    expect(scrolled).toHaveBeenLastCalledWith(0, 300);
    await navigate('/a');
    expect(scrolled).toHaveBeenLastCalledWith(0, 1400);
    expect(screen.getByRole('button', { name: '/a 1' })).toBeVisible();
    expect(mounts).toEqual(['/a', '/b']);
  });

  it('kept-alive pages are limited to six; the least recently shown is dropped', async () => {
    const paths = ['/p1', '/p2', '/p3', '/p4', '/p5', '/p6', '/p7'];
    const { container } = await renderShell('/p1', { pages: paths.map((path) => counting(path)) });
    for (const path of paths.slice(1)) await navigate(path);
    expect(container.querySelectorAll('.shell-page')).toHaveLength(6);
    await navigate('/p2');
    await navigate('/p1');
    expect(mounts.filter((path) => path === '/p2')).toHaveLength(1);
    expect(mounts.filter((path) => path === '/p1')).toHaveLength(2);
    expect(container.querySelectorAll('.shell-page')).toHaveLength(6);
  });

  it('kept-alive pages of guarded routes are dropped when the session ends', async () => {
    const guarded = counting('/mine', { topBar: true, requiresLogin: true });
    const { shell, container } = await renderShell('/mine', { pages: [guarded, counting('/b')], token: 'Bearer x' });
    await waitFor(() => expect(shell.session.hasUser).toBe(true));
    await navigate('/b');
    expect(container.querySelectorAll('.shell-page')).toHaveLength(2);
    act(() => shell.session.reset());
    await waitFor(() => expect(container.querySelectorAll('.shell-page')).toHaveLength(1));
  });
});

const priced: TestPage = {
  path: '/home',
  title: '首页',
  flags: { topBar: true, tabBar: true },
  Component: function Priced() {
    const { t } = useTexts();
    const { data } = useQuery({ queryKey: ['test', 'price'], queryFn: () => get('/api/front/swiper/list') });
    return <p>{`${t('search')}: ${String(data)}`}</p>;
  },
};

it('a new language changes texts, bars, title, <html lang> and the server’s texts and prices at once, and is stored', async () => {
  const { requests } = await renderShell('/home', {
    pages: [priced],
    api: {
      'GET /api/front/swiper/list': ({ headers }: { headers: Record<string, string> }) =>
        `${headers.Currency} ${headers.Locale}`,
    },
  });
  expect(await screen.findByText('搜索游戏: CNY zh-CN')).toBeVisible();
  expect(document.documentElement).toHaveAttribute('lang', 'zh-CN');
  await userEvent.click(screen.getByRole('button', { name: '打开菜单' }));
  await userEvent.click(
    await within(await screen.findByRole('dialog')).findByRole('button', { name: 'Switch to English' }),
  );
  expect(await screen.findByText('Search games: USD en')).toBeInTheDocument();
  expect(document.documentElement).toHaveAttribute('lang', 'en');
  expect(document.title).toBe('EN 首页 - Stardot');
  expect(localStorage.getItem('language')).toBe('en');
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('link', { name: 'My orders' })).toBeVisible();
  await waitFor(() =>
    expect(requests.filter(({ url }) => url.endsWith('/config')).map(({ headers }) => headers.Locale)).toEqual([
      'zh-CN',
      'en',
    ]),
  );
  closeShell();
  await renderShell('/home');
  expect(screen.getByRole('link', { name: 'My orders' })).toBeVisible();
});

it('the theme follows the device until the user chooses one, which is stored', async () => {
  const change = stubMedia({ [darkDevice]: true });
  const { shell } = await renderShell('/home');
  const root = document.documentElement;
  expect(root).toHaveAttribute('data-theme', 'dark');
  change(darkDevice, false);
  expect(root).toHaveAttribute('data-theme', 'light');
  await userEvent.click(screen.getByRole('button', { name: '打开菜单' }));
  await userEvent.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: '切换到深色' }));
  expect(root).toHaveAttribute('data-theme', 'dark');
  change(darkDevice, true);
  change(darkDevice, false);
  expect(root).toHaveAttribute('data-theme', 'dark');
  expect(localStorage.getItem('theme')).toBe('dark');
  act(() => shell.preferences.setTheme('system'));
  expect(root).toHaveAttribute('data-theme', 'light');
  expect(localStorage.getItem('theme')).toBeNull();
});

const changeElsewhere = (key: string, value: string) => {
  localStorage.setItem(key, value);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })));
};

it('another tab of the same device changes language, theme and session here too', async () => {
  const { shell } = await renderShell('/home');
  changeElsewhere('language', 'en');
  changeElsewhere('theme', 'dark');
  expect(await screen.findByRole('link', { name: 'My orders' })).toBeVisible();
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
  changeElsewhere('token', 'Bearer elsewhere');
  await waitFor(() => expect(shell.session.user?.nickname).toBe('小星'));
  changeElsewhere('token', '');
  expect(shell.session.hasUser).toBe(false);
});

it('an offline notice is shown until the device is online again', async () => {
  await renderShell('/home');
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText('网络已断开，内容可能不是最新')).toBeVisible();
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText('网络已断开，内容可能不是最新')).not.toBeInTheDocument();
  online.mockRestore();
});
