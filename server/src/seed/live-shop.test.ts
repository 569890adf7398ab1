import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { importFile } from '@shop/backoffice/cli/import';
import { onEveryDatabase } from '../../test/support/test-app';
import { addCards } from '../catalogue/goods.store';
import { openEmbedded } from '../platform/db/database';
import { embeddedFolder, startServer } from '../start';
import { goLive, refuseSandboxOnLiveShop } from './live-shop';

const production = {
  NODE_ENV: 'production',
  APP_SECRET: randomBytes(32).toString('base64'),
  CARD_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};
const folder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'shop-live-'));

it('a shop in production starts with articles and settings, with nothing to sell, and without the sandbox', async () => {
  const dataDir = folder();
  const template = process.env.SHOP_TEST_TEMPLATE;
  await (await openEmbedded({ folder: embeddedFolder(dataDir), template })).close();
  const server = await startServer({ port: 0, host: '127.0.0.1', dataDir, env: production, jobs: false });
  const get = async (url: string) => (await server.app.inject(`/api/front/${url}`)).json().data;
  expect(await get('goods/list')).toMatchObject({ list: [], total: 0 });
  for (const url of ['goods/category', 'swiper/list?channel=4', 'customModule/list?channel=3', 'search/hot'])
    expect([url, await get(url)]).toEqual([url, []]);
  expect((await get('app/config')).logo).toMatch(/^\/media\//);
  expect(await get('article/all')).toHaveLength(3);
  for (const url of ['/dev/outbox', '/dev/outbox.json', '/cashier/ABCDEFGH12345678'])
    expect([url, (await server.app.inject(url)).statusCode]).toEqual([url, 404]);
  expect(await get('payment/methods?scene=recharge')).toEqual([]);
  const { db } = server.context;
  expect(await db.one('select count(*) as codes, (select count(*) from users) as users from card_codes')).toEqual({
    codes: 0,
    users: 0,
  });
  expect(await db.row('select 1 as live from live_shop')).toEqual({ live: 1 });
  await server.close();
  const sandbox = { APP_SECRET: production.APP_SECRET, CARD_KEYS: production.CARD_KEYS };
  await expect(startServer({ port: 0, dataDir, env: sandbox, jobs: false })).rejects.toThrow(
    'This database belongs to a shop with real payments: the sandbox does not serve it.',
  );
}, 600_000);

onEveryDatabase(
  'a shop that used the demo before it went live',
  (testApp) => {
    const stock = (prefix: string, count: number) => {
      const cards = Array.from({ length: count }, (_item, index) => ({ card_no: `${prefix}${index}`, card_pwd: '1' }));
      return addCards(testApp().db, testApp().context.keyring, testApp().spec('card'), cards);
    };
    const free = () =>
      testApp().value('select count(*) from card_codes where spec_id = $1 and state = 0', [testApp().spec('card')]);

    it('a live shop sells no demo code, not even one that an unpaid order holds, and imports none', async () => {
      await testApp().setStock(0);
      await stock('DEMO-', 3);
      const user = await testApp().user(10_000);
      const bought = await user.bought();
      const { data } = await user.order();
      await stock('REAL-', 2);
      await goLive(testApp().context);
      await goLive(testApp().context);
      expect((await user.info(data.order_no)).data).toMatchObject({ status: 10, close_reason: 3 });
      expect((await user.pay(data.order_no)).code).toBe(43021);
      expect((await user.info(bought)).data).toMatchObject({ status: 30, cards_count: 1 });
      expect(await free()).toBe(2);
      expect((await user.order({ quantity: 3 })).code).toBe(42220);
      const sold = await user.order({ quantity: 2 });
      expect((await user.pay(sold.data.order_no)).data).toMatchObject({ status: 30 });
      // A demo code that another program adds later is not sold either.
      await stock('DEMO-LATER-', 1);
      expect((await user.order()).code).toBe(42220);
      await testApp().check();
      const context = { ...testApp().context, config: { ...testApp().context.config, live: true } };
      const report = await importFile(
        context,
        'codes.csv',
        'goods,spec,card_no,card_pwd,expire_at\ncard,a,DEMO-9,1,\n',
      );
      expect(report).toMatchObject({
        cards: 0,
        faults: [{ line: 2, message: expect.stringContaining('Demo codes') }],
      });
    });

    it('a live shop does not start with the sandbox, and a shop with sandbox money does not go live', async () => {
      await expect(refuseSandboxOnLiveShop(testApp().context)).rejects.toThrow('belongs to a shop with real payments');
      const user = await testApp().user();
      const { data } = await user.post('recharge/create', { amount: '5.00', method: 'sandbox' });
      await testApp().post('payment/callback/sandbox', testApp().paidNotice(data.payment_no, 500));
      await expect(goLive(testApp().context)).rejects.toThrow('payments of the sandbox');
    });
  },
  () => ({}),
);
