import { remoteBuild, SHELL_BUILD } from '@platform/pages/rendering/testing';
import { until } from '../../../scripts/jest/until';
import { movableClock } from '../../test/support/movable-clock';
import { routesOf, shopWith, storeWith } from '../../test/support/release-store';
import { onEveryDatabase } from '../../test/support/test-app';
import type { App } from '../platform/http/request';

const FRESH_MS = 100;

onEveryDatabase('rendered documents', (testApp) => {
  let app: App;
  let address: string;

  beforeAll(async () => {
    const { context, goods } = testApp();
    address = `/goods/${goods.card.id}`;
    const draw = "return '<p>' + JSON.stringify(request.answers).replace(/[<&]/g, ' ') + '</p>';";
    const build = { 'server/main.js': remoteBuild({ '/goods/:id': draw }) };
    const shell = { more: { 'server/main.js': SHELL_BUILD('one') } };
    const store = await storeWith([{ routes: routesOf('catalog'), more: build }], shell);
    app = await shopWith(context, store, { publicUrl: 'https://shop.example', freshMs: FRESH_MS, render: true });
    await until('rendered documents', async () => (await open()).rendered);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.close());

  async function open() {
    const { body } = await app.inject({ url: address, headers: { accept: 'text/html' } });
    const [, rendered] = /<div id="root"><p>shell one<\/p><p>({.*})<\/p><\/div>/.exec(body) ?? [];
    return { rendered, body };
  }

  it('the next document shows a new price and stock 100 ms after the commit', async () => {
    const pass = movableClock();
    const before = await open();
    expect(before.rendered).toContain('"10.00"');
    await testApp().setPrice(901);
    pass(FRESH_MS);
    const [next, repeated] = [await open(), await open()];
    expect(next.rendered).toContain('"9.01"');
    expect(next.body).toContain('content="9.01"');
    expect(repeated.body).toBe(next.body);
    await testApp().setPrice(1000);
    pass(FRESH_MS);
    expect((await open()).rendered).toBe(before.rendered);
    await testApp().setStock(0);
    pass(FRESH_MS);
    const soldOut = await open();
    expect(soldOut.rendered).toContain('"stock_state":0');
    expect(soldOut.rendered).not.toBe(before.rendered);
    await testApp().setStock(1);
    pass(FRESH_MS);
    expect((await open()).rendered).not.toBe(soldOut.rendered);
  });
});
