/**
 * A server build that stores and guesses other users' data, in a running shop with its own sessions
 * (docs/adr/0007-server-side-rendering.md).
 */
import { remoteBuild, SHELL_BUILD, STORING_PAGE } from '@platform/pages/rendering/testing';
import { until } from '../../../scripts/jest/until';
import { hashPassword } from '../../src/accounts/auth/passwords';
import { newShopper } from '../support/fill-shop';
import { type StartedShop, startShopOn, storeWith } from '../support/release-store';
import { readTestGoods } from '../support/test-goods';

const PASSWORD = 'a-password-for-tests';
let shop: StartedShop;

const route = (place: string, query: string[] = [], requiresLogin = true) => ({
  path: place,
  page: './main',
  module: './src/main.tsx',
  title: { 'zh-CN': '页', en: 'Page' },
  flags: { requiresLogin },
  query,
});
const GUESSER = `
  const wanted = ['/api/front/order/info?order_no=' + new URL(request.path, 'http://shop.invalid').searchParams.get('number')];
  return { html: '<p>' + JSON.stringify(request.answers).replace(/[<>&]/g, ' ') + '</p>', wanted };`;

beforeAll(async () => {
  const remote = {
    name: 'account',
    routes: [route('/mine'), route('/guess', ['number']), route('/open', [], false)],
    more: { 'server/main.js': remoteBuild({ '/mine': STORING_PAGE, '/guess': GUESSER, '/open': STORING_PAGE }) },
  };
  shop = await startShopOn(await storeWith([remote], { more: { 'server/main.js': SHELL_BUILD('one') } }));
});
afterAll(() => shop?.close());

async function call(place: string, body?: object, token = '') {
  const response = await fetch(`${shop.url}/api/front/${place}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      'idempotency-key': `${Math.random()}`,
    },
    body: body && JSON.stringify(body),
  });
  const [cookie = ''] = response.headers.getSetCookie().filter((header) => header.startsWith('document-session='));
  return { ...(await response.json()), cookie: cookie.split(';')[0] as string };
}

async function newUser() {
  const { phone } = await newShopper(shop.server.context.db, 0, await hashPassword(PASSWORD));
  return signIn(phone);
}

async function signIn(phone: string) {
  const { data, cookie } = await call('app/login', { phone, login_type: 'password', password: PASSWORD, verify: '' });
  return { phone, token: data.access_token as string, cookie };
}

async function open(place: string, cookie: string) {
  const response = await fetch(shop.url + place, { headers: { accept: 'text/html', cookie } });
  const html = await response.text();
  return {
    html,
    isPersonal: html.includes(' data-user="'),
    cache: response.headers.get('cache-control'),
    content: /<p>shell one<\/p><p>([\s\S]*?)<\/p>/.exec(html)?.[1],
  };
}
const personal = (place: string, cookie: string) =>
  until(`${place} with the person in it`, async () => {
    const document = await open(place, cookie);
    return document.isPersonal ? document : undefined;
  });

it('a guest with a user’s ETag gets the guest page, and a user with the guest’s ETag gets the personal page', async () => {
  const ann = await newUser();
  await until('the page for everybody', async () => (await open('/open', '')).content !== undefined);
  await personal('/open', ann.cookie);
  const ask = (cookie: string, tag = '') =>
    fetch(`${shop.url}/open`, { headers: { accept: 'text/html', cookie, 'if-none-match': tag } });
  const guestTag = (await ask('')).headers.get('etag') ?? 'none';
  const userTag = (await ask(ann.cookie)).headers.get('etag') ?? 'none';
  expect([(await ask(ann.cookie, guestTag)).status, (await ask('', userTag)).status]).toEqual([200, 200]);
  expect((await ask('', guestTag)).status).toBe(304);
});

it('a server build gets no order of another user by requesting its URL', async () => {
  const [ann, bob] = [await newUser(), await newUser()];
  const goods = await readTestGoods(shop.server.context.db);
  const body = { goods_id: goods.card.id, spec_id: goods.card.specs.get('a'), quantity: 1 };
  const { data: preview } = await call('order/preview', body, ann.token);
  const { data: order } = await call('order/create', { ...body, price_version: preview.price_version }, ann.token);
  const place = `/guess?number=${order.order_no}`;
  const orderPage = await personal(place, ann.cookie);
  expect(orderPage.content).toContain('created_at');
  await personal('/mine', bob.cookie);
  const guessed = await personal(place, bob.cookie);
  expect(guessed.html.includes('created_at')).toBe(false);
  expect(guessed.content).toMatch(/"code":4\d+/);
});

it('after a sign-out the user’s device shows none of their data', async () => {
  const findsOwn = ({ phone, cookie }: Awaited<ReturnType<typeof signIn>>) =>
    until('what was kept of them', async () => (await personal('/mine', cookie)).content?.includes(phone));
  const ann = await newUser();
  await findsOwn(ann);

  await call('app/logout', {}, ann.token);
  const after = await open('/mine', ann.cookie);
  expect(after).toMatchObject({ isPersonal: false, cache: 'no-cache, no-transform', content: undefined });
  expect(after.html.includes(ann.phone)).toBe(false);

  const bob = await newUser();
  await findsOwn(bob);
  expect((await personal('/mine', bob.cookie)).html.includes(ann.phone)).toBe(false);
  const newSession = await signIn(ann.phone);
  expect((await personal('/mine', newSession.cookie)).content?.includes(ann.phone)).toBe(false);
  await findsOwn(newSession);
});
