import type { ReleaseMap, RenderedPage, RenderRequest, RouteContract } from '@platform/releases';
import { CONFIG as config, guestAnswers } from '../testing/guest-answers';
import { drawnPages, type PageQuestion, shownPath } from './drawn-pages';
import type { GuestAnswers } from './guest-answers';

const route = (path: string, rest: Partial<RouteContract> = {}): RouteContract => ({
  path,
  page: '.',
  module: '',
  title: path,
  ...rest,
});
const goods = route('/goods', {
  query: ['keyword', 'sort'],
  firstCalls: [{ url: '/api/front/goods/list', plain: true }],
});
const product = route('/goods/:id', { firstCalls: [{ url: '/api/front/goods/info?id=:id' }] });

/** A page that wants what `wants` says beside its answers, and shows the addresses that it has. */
function shop({ wants = [] as string[], refuses = [] as string[] } = {}) {
  const tags = new Map<string, string>();
  const asked: string[] = [];
  const rendered: RenderRequest[] = [];
  /** As documents keep them. */
  const calls = new Map<string, readonly string[]>();
  let isDown = false;
  const tagOf = (address: string) => tags.get(address) ?? '1';
  const answers: GuestAnswers = {
    ...guestAnswers(tagOf),
    async ask(address) {
      asked.push(address);
      if (isDown) return 'unavailable';
      if (refuses.includes(address)) return 'refused';
      return { tag: tagOf(address), envelope: () => ({ code: 200, data: address }) };
    },
  };
  const page = async (_map: ReleaseMap, _visitor: number | null, request: RenderRequest): Promise<RenderedPage> => {
    rendered.push(request);
    const wanted = wants.filter((address) => !(address in request.answers));
    const html = Object.keys(request.answers).sort().join(' ');
    return { html: request.isDraft && wanted.length > 0 ? '' : html, queryState: '{}', wanted };
  };
  const drawPage = drawnPages({ page }, answers);
  const question = (address: string, of: RouteContract | null, rest: Partial<PageQuestion> = {}): PageQuestion => ({
    key: 'document',
    map: {} as ReleaseMap,
    visitor: null,
    route: of,
    path: shownPath(of, address),
    calls: calls.get(shownPath(of, address)),
    language: 'en',
    theme: 'light',
    ...rest,
  });
  const find = async (...args: Parameters<typeof question>) => {
    const found = await drawPage(question(...args));
    if (typeof found === 'object') calls.set(question(...args).path, found.calls);
    return found;
  };
  const draw = async (...args: Parameters<typeof question>) => {
    const found = await find(...args);
    return typeof found === 'object' ? { ...found, page: (await found.draw())?.page } : undefined;
  };
  return {
    find,
    draw,
    asked,
    rendered,
    change: (address: string) => tags.set(address, '2'),
    stop: () => (isDown = true),
  };
}

it('draws a page with the answers to its first calls and to the calls that it makes of itself', async () => {
  const { draw, rendered } = shop({ wants: ['/api/front/goods/related?id=7'] });
  const drawn = await draw('/goods/7', product);
  expect(drawn?.page).toMatchObject({
    html: `${config} /api/front/goods/info?id=7 /api/front/goods/related?id=7`,
    path: '/goods/7',
    language: 'en',
  });
  expect(rendered[0]).toMatchObject({ path: '/goods/7', language: 'en', currency: 'USD', theme: 'light' });
});

it('asks for what a page has wanted before, so that it is drawn once, and again only when an answer changes', async () => {
  const { draw, rendered, change } = shop({ wants: ['/api/front/goods/related?id=7'] });
  const first = await draw('/goods/7', product);
  const before = rendered.length;
  const same = await draw('/goods/7', product);
  expect(same?.key).toBe(first?.key);
  expect(rendered).toHaveLength(before + 1);
  change('/api/front/goods/related?id=7');
  expect((await draw('/goods/7', product))?.key).not.toBe(first?.key);
});

it('knows whether a page is still what would be drawn now', async () => {
  const { draw, change } = shop({ wants: ['/api/front/goods/related?id=7'] });
  const [first, again] = [await draw('/goods/7', product), await draw('/goods/7', product)];
  expect([first?.isCurrent(), again?.isCurrent()]).toEqual([true, true]);
  change('/api/front/goods/related?id=7');
  expect([first?.isCurrent(), again?.isCurrent()]).toEqual([false, false]);
  expect((await draw('/goods/7', product))?.isCurrent()).toBe(true);
});

it('lets a page that is not known yet say what it wants before it is drawn', async () => {
  const { draw, rendered, change } = shop({
    wants: ['/api/front/goods/related?id=7', '/api/front/refused'],
    refuses: ['/api/front/refused'],
  });
  expect((await draw('/goods/7', product))?.page?.html).toContain('related');
  expect(rendered.map(({ isDraft }) => isDraft)).toEqual([true, false]);
  change(config);
  await draw('/goods/7', product);
  expect(rendered.slice(2).map(({ isDraft }) => isDraft)).toEqual([false]);
});

it('draws a page also when guests may not have what it wants', async () => {
  const { draw } = shop({ wants: [config], refuses: [config] });
  expect((await draw('/goods/7', product))?.page?.html).toBe('/api/front/goods/info?id=7');
});

it('makes no other page for parameters that the route does not name', async () => {
  const { draw, rendered } = shop();
  const plain = await draw('/goods?sort=new', goods);
  for (const address of ['/goods?utm_source=x&sort=new', '/goods/?sort=new&sort=hot&a=1', '/goods?sort=new#top'])
    expect((await draw(address, goods))?.key).toBe(plain?.key);
  expect((await draw('/goods?sort=hot', goods))?.key).not.toBe(plain?.key);
  expect(new Set(rendered.map(({ path }) => path))).toEqual(new Set(['/goods?sort=new', '/goods?sort=hot']));
});

it('does not make a call whose answer belongs to an address without a query', async () => {
  const { draw, asked } = shop();
  await draw('/goods?sort=new', goods);
  expect(asked).toEqual([config]);
  await draw('/goods', goods);
  expect(asked).toContain('/api/front/goods/list');
});

it('draws the home page for "/" and the shell’s own page for an unknown address', async () => {
  const { draw } = shop();
  expect((await draw('/', route('/home')))?.page?.path).toBe('/home');
  expect((await draw('/no/such/page', null))?.page?.path).toBe('/404');
});

it('draws no page that requires a session, no endless address, and none while the API cannot answer', async () => {
  const { find, rendered, stop } = shop();
  expect(await find('/user', route('/user', { flags: { requiresLogin: true } }))).toBe('never');
  expect(await find(`/goods?keyword=${'x'.repeat(400)}`, goods)).toBe('never');
  stop();
  expect(await find('/goods/7', product)).toBeUndefined();
  expect(rendered).toHaveLength(0);
});

it('draws a page once for visitors who ask at the same time', async () => {
  const { draw, rendered } = shop();
  await draw('/goods/7', product);
  const before = rendered.length;
  await Promise.all([draw('/goods/7', product), draw('/goods/7', product), draw('/goods/7', product)]);
  expect(rendered.length - before).toBe(1);
});

it.each([
  ['draws with the dialog, for browsers without a session', '<div role="dialog"></div>', ''],
  ['draws no page without the dialog, as a shell of before gives it', '', undefined],
])('asks to sign in: %s', async (_what, dialog, person) => {
  const page = async ({ asksToSignIn }: RenderRequest): Promise<RenderedPage> => ({
    html: `<main></main>${asksToSignIn ? dialog : ''}`,
    queryState: '{}',
    wanted: [],
  });
  const drawPage = drawnPages(
    { page: (_map, _visitor, request) => page(request) },
    guestAnswers(() => '1'),
  );
  const question = { key: 'document', map: {} as ReleaseMap, visitor: null, route: goods, path: '/goods' };
  const found = await drawPage({ ...question, language: 'en', theme: 'light', asksToSignIn: true });
  const drawn = typeof found === 'object' ? await found.draw() : undefined;
  expect(drawn?.page.person).toBe(person);
  expect(drawn === undefined).toBe(person === undefined);
});
