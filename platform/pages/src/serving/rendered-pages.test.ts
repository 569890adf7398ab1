import type { ReleaseMap, RenderedPage, RenderRequest, RouteContract } from '@platform/releases';
import { CONFIG as config, guestAnswers } from '../testing/site';
import {
  type GuestAnswers,
  hasSameAnswers,
  type PageRequest,
  type PageSource,
  publicPages,
  renderPersonalPage,
  shownPath,
  type User,
} from './rendered-pages';

const route = (path: string, overrides: Partial<RouteContract> = {}): RouteContract => ({
  path,
  page: '.',
  module: '',
  title: path,
  ...overrides,
});
const goods = route('/goods', {
  query: ['keyword', 'sort'],
  firstCalls: [{ url: '/api/front/goods/list', plain: true }],
});
const product = route('/goods/:id', { firstCalls: [{ url: '/api/front/goods/info?id=:id' }] });
const related = '/api/front/goods/related?id=7';

const pageRequest = (address: string, route: RouteContract | null, more: Partial<PageRequest> = {}): PageRequest => ({
  map: {} as ReleaseMap,
  visitor: null,
  route,
  path: shownPath(route, address),
  language: 'en',
  theme: 'light',
  ...more,
});

describe('a public page', () => {
  function shop({ wants: wantedCalls = [] as string[], refuses = [] as string[], dialog = '' } = {}) {
    const tags = new Map<string, string>();
    const called: string[] = [];
    const rendered: RenderRequest[] = [];
    const calls = new Map<string, readonly string[]>();
    let isDown = false;
    const tagOf = (address: string) => tags.get(address) ?? '1';
    const answers: GuestAnswers = {
      ...guestAnswers(tagOf),
      async ask(address) {
        called.push(address);
        if (isDown) return 'unavailable';
        if (refuses.includes(address)) return 'refused';
        return { tag: tagOf(address), envelope: () => ({ code: 200, data: address }) };
      },
    };
    const page = async (_map: ReleaseMap, _visitor: number | null, request: RenderRequest): Promise<RenderedPage> => {
      rendered.push(request);
      const wanted = wantedCalls.filter((address) => !(address in request.answers));
      const html = Object.keys(request.answers).sort().join(' ') + dialog;
      return { html: request.isDraft && wanted.length > 0 ? '' : html, queryState: '{}', wanted };
    };
    const pages = publicPages({ page }, answers);
    const render = async (...args: Parameters<typeof pageRequest>) => {
      const request = pageRequest(...args);
      const loaded = await pages.load(request, calls.get(request.path));
      const result = loaded && (await pages.render(request, loaded));
      if (result) calls.set(request.path, result.source.calls);
      return result;
    };
    const isCurrent = (rendered: Awaited<ReturnType<typeof render>>) =>
      rendered && pages.isCurrent(rendered.source, 'en');
    const change = (address: string) => tags.set(address, '2');
    return { render, isCurrent, asked: called, rendered, change, stop: () => (isDown = true) };
  }

  it('a public page is rendered with the answers to all its calls, twice at first, once when its calls are known, and differs when an answer changes', async () => {
    const { render, isCurrent, rendered, change } = shop({
      wants: [related, '/api/front/refused'],
      refuses: ['/api/front/refused'],
    });
    const first = await render('/goods/7', product);
    const html = `${config} /api/front/goods/info?id=7 ${related}`;
    expect(first?.page).toMatchObject({ html, path: '/goods/7', language: 'en' });
    expect(rendered[0]).toMatchObject({ path: '/goods/7', language: 'en', currency: 'USD', theme: 'light' });
    const repeated = await render('/goods/7', product);
    expect(repeated?.source).toEqual(first?.source);
    expect(rendered.map(({ isDraft }) => isDraft)).toEqual([true, false, false]);
    expect([isCurrent(first), isCurrent(repeated)]).toEqual([true, true]);
    change(related);
    expect([isCurrent(first), isCurrent(repeated)]).toEqual([false, false]);
    const changed = await render('/goods/7', product);
    expect(hasSameAnswers(changed?.source as PageSource, first?.source as PageSource)).toBe(false);
    expect(isCurrent(changed)).toBe(true);
  });

  const list = '/api/front/goods/list';
  it.each([
    ['/goods?sort=new', goods, '/goods?sort=new', []],
    ['/goods?utm_source=x&sort=new', goods, '/goods?sort=new', []],
    ['/goods/?sort=new&sort=hot&a=1', goods, '/goods?sort=new', []],
    ['/goods?sort=new#top', goods, '/goods?sort=new', []],
    ['/goods', goods, '/goods', [list]],
    ['/', route('/home'), '/home', []],
    ['/no/such/page', null, '/404', []],
  ])(
    'the public page of %s has only the parameters of its route, and only the calls that belong to them',
    async (address, route, path, calls) => {
      const { render, asked, rendered } = shop();
      await render(address, route);
      expect(rendered[0]?.path).toBe(path);
      expect(asked).toEqual([config, ...calls]);
    },
  );

  it('a public page is not rendered while the API cannot answer', async () => {
    const { render, rendered, stop } = shop();
    stop();
    expect(await render('/goods/7', product)).toBeUndefined();
    expect(rendered).toHaveLength(0);
  });

  it('a public page shows the sign-in dialog to browsers without a session, if the shell renders one', async () => {
    const request = ['/goods', goods, { asksToSignIn: true }] as const;
    expect((await shop({ dialog: '<div role="dialog"></div>' }).render(...request))?.page.user).toBe('');
    expect(await shop().render(...request)).toBeUndefined();
  });
});

describe('a personal page', () => {
  const order = route('/order/:id', { firstCalls: [{ url: '/api/order?no=:id' }], flags: { requiresLogin: true } });

  function setUp({
    ask = async (address) => ({ data: `answer to ${address}` }),
    wanted = [],
  }: {
    ask?: User['ask'];
    wanted?: string[][];
  } = {}) {
    const called: string[] = [];
    const requests: Array<RenderRequest & { user?: string }> = [];
    const user: User = {
      session: 'session-of-ann',
      mark: 'ann-mark',
      currency: 'USD',
      shellCalls: ['/api/config', '/api/me'],
      ask: (address) => {
        called.push(address);
        return ask(address);
      },
    };
    const page = async (
      _map: ReleaseMap,
      _visitor: number | null,
      request: RenderRequest,
      _fault: unknown,
      session?: string,
    ) => {
      requests.push({ ...request, answers: { ...request.answers }, user: session });
      const wantedNow = wanted[requests.length - 1] ?? [];
      const html = request.isDraft && wantedNow.length > 0 ? '' : '<p>page</p>';
      return { html, queryState: '{}', wanted: wantedNow };
    };
    const render = () => renderPersonalPage({ page }, pageRequest('/order/7', order), user);
    return { render, asked: called, requests };
  }

  it('a personal page is rendered with the answers of its user, in their isolate, and flagged as theirs', async () => {
    const { render, requests } = setUp();
    expect(await render()).toMatchObject({ html: '<p>page</p>', path: '/order/7', user: 'ann-mark' });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ user: 'session-of-ann', isSignedIn: true, currency: 'USD' });
    expect(Object.keys(requests[0]?.answers ?? {})).toEqual(['/api/config', '/api/me', '/api/order?no=7']);
  });

  it('a personal page makes each call once, and leaves calls that documents may not make to the browser', async () => {
    const { render, asked, requests } = setUp({
      ask: async (address) => (address === '/api/codes' ? undefined : { data: 1 }),
      wanted: [['/api/codes', '/api/me'], ['/api/codes']],
    });
    expect(await render()).toBeDefined();
    expect(asked).toEqual(['/api/config', '/api/me', '/api/order?no=7', '/api/codes']);
    expect(requests).toHaveLength(2);
    expect(requests.at(-1)?.answers).not.toHaveProperty('/api/codes');
  });

  it('a personal page fails when a call fails, so that the document contains no data of the user', async () => {
    const { render } = setUp({ ask: () => Promise.reject(new Error('no such order')) });
    await expect(render()).rejects.toThrow('no such order');
  });
});
