import { FaultySupplier } from '../../test/support/doubles/faulty-supplier';
import { StaffWebhook } from '../../test/support/doubles/webhook-receiver';
import { heldBack } from '../../test/support/waiting-calls';
import { withDouble } from '../../test/support/with-double';
import type { AppContext } from '../context';
import { collectCostHolds } from '../notices/collect-notices.service';
import { sendNotices } from '../notices/send-notices.service';
import type { Sql } from '../platform/db/sql';
import type { Currency } from '../platform/http/schemas';
import { pollSuppliers } from './supplier-offers.service';
import { serveSuppliers } from './suppliers.service';

const SOLD_OUT = 42220;

withDouble('costs and stock of suppliers', new StaffWebhook(), (testApp, webhook) => {
  let supplier: FaultySupplier;
  let marginPercent = 0;
  beforeEach(async () => {
    marginPercent = 0;
    webhook.reset();
    supplier = new FaultySupplier();
    await testApp().db.script('delete from supplier_offers; delete from suppliers');
    await testApp().db.run('update goods_specs set stock = null where id = $1', [testApp().spec('direct')]);
    await testApp().db.one('select supply_refresh(null)');
  });
  afterEach(() => testApp().check());

  const context = (): AppContext => {
    const { context } = testApp();
    const supplierFor = (stockType: string) => (stockType === '91' ? supplier : undefined);
    const config = { ...context.config, supplierMarginPercent: marginPercent };
    return { ...context, config, providers: { ...context.providers, supplierFor } };
  };
  const answers = async (cost: number, available = true, currency: Currency = 'CNY') => {
    supplier.answered = [{ goodsKey: 'direct', specKey: 'a', available, costs: { [currency]: cost } }];
    await testApp().db.run('update suppliers set next_at = clock_timestamp()');
    await pollSuppliers(context());
  };
  const detail = async () =>
    (await testApp().get(`goods/info?id=${testApp().goods.direct.id}`)).data.specs[0].stock_state;
  const listed = async () =>
    (await testApp().get('goods/list?limit=50')).data.list.find(
      ({ id }: { id: number }) => id === testApp().goods.direct.id,
    ).sold_out;
  const order = async (currency: Currency = 'CNY') => {
    const user = await testApp().user(5000);
    const { code } = await user.order({ ...testApp().orderBody('direct'), fields: { uid: '10001' } }, { currency });
    return code;
  };
  const hold = () => testApp().value('select supply_hold from goods_specs where id = $1', [testApp().spec('direct')]);
  const bought = async (quantity = 1) =>
    (await testApp().user(5000)).bought({ ...testApp().orderBody('direct'), quantity, fields: { uid: '10001' } });
  const deliveredCost = async (orderNo: string) => {
    await serveSuppliers(context());
    return await testApp().db.one('select status, cost from orders where order_no = $1', [orderNo]);
  };

  it('a value that is out at its supplier is sold out in the list, on its page and for an order, until it is back', async () => {
    await answers(300, false);
    expect([await listed(), await detail(), await order()]).toEqual([true, 0, SOLD_OUT]);
    await answers(300, true);
    expect([await listed(), await detail(), await order()]).toEqual([false, 1, 200]);
  });

  // The price is 6.00 CNY and 1.50 USD.
  it.each<
    [string, { cost: number; available?: false; currency?: Currency; margin?: number; step?: number }, 'cost' | null]
  >([
    ['as its price', { cost: 600 }, null],
    ['above its price', { cost: 601 }, 'cost'],
    ['above its price while it is out', { cost: 601, available: false }, 'cost'],
    ['above its price in the other currency', { cost: 151, currency: 'USD' }, 'cost'],
    ['that leaves the margin of the shop', { cost: 540, margin: 10 }, null],
    ['that leaves less than the margin of the shop', { cost: 541, margin: 10 }, 'cost'],
    ['above its lowest quantity price', { cost: 501, step: 500 }, 'cost'],
  ])('a value with a cost %s is sold only if that leaves enough', async (_case, answer, expected) => {
    const { cost, available, currency, margin = 0, step } = answer;
    marginPercent = margin;
    const spec = testApp().spec('direct');
    if (step) await testApp().db.run("insert into price_steps values ($1, 'CNY', 5, $2)", [spec, step]);
    await answers(cost, available, currency);
    expect(await hold()).toBe(expected);
    expect([await order('CNY'), await order('USD')]).toEqual(expected ? [SOLD_OUT, SOLD_OUT] : [200, 200]);
    await testApp().db.run('delete from price_steps where spec_id = $1', [spec]);
  });

  it('a hold ends when the cost falls, and does not touch what staff took off sale or delivered, or a shopper has paid', async () => {
    const [paid, refunded, byStaff] = [await bought(), await bought(2), await bought()];
    await testApp().db.one(
      "select order_refund_part(id, 'R-1', 600, 1, 'wallet', '', 'staff') from orders where order_no = $1",
      [refunded],
    );
    await answers(700);
    await testApp().db.one("select order_deliver(id, '', 'staff') from orders where order_no = $1", [byStaff]);
    expect(await deliveredCost(byStaff)).toEqual({ status: 30, cost: null });
    expect(await deliveredCost(paid)).toEqual({ status: 30, cost: 700 });
    expect(await deliveredCost(refunded)).toEqual({ status: 30, cost: 700 });
    const { id } = testApp().goods.direct;
    await testApp().db.run('update goods set status = 3 where id = $1', [id]);
    await answers(500);
    expect([await hold(), (await testApp().get(`goods/info?id=${id}`)).code]).toEqual([null, 42204]);
    await testApp().db.run('update goods set status = 1 where id = $1', [id]);
    expect(await order()).toBe(200);
  });

  it('staff get one mail and webhook for each new hold of a cost, not for each poll', async () => {
    for (const cost of [700, 710, 500, 700]) {
      await answers(cost);
      await collectCostHolds(context());
      await sendNotices(testApp().context);
    }
    const about = { kind: 'cost-above-price', amount: '6.00', cost: '7.00', currency: 'CNY', spec: '面值a' };
    expect(webhook.accepted).toMatchObject([about, about]);
    const mails = JSON.parse((await testApp().get('/dev/mails.json?to=ann@shop.example')).text);
    expect(mails.filter(({ subject }: { subject: string }) => subject.startsWith('成本过高'))).toHaveLength(2);
  });

  it('of two servers one polls, deliveries go on meanwhile, and an answer after a newer poll changes nothing', async () => {
    const orderNo = await bought();
    supplier.meanwhile = async (reference) => {
      if (reference === 'offers') expect(await deliveredCost(orderNo)).toMatchObject({ status: 30 });
    };
    await Promise.all([answers(700), pollSuppliers(context())]);
    expect([supplier.polls, await hold()]).toEqual([1, 'cost']);
    await pollSuppliers(context());
    expect(supplier.polls).toBe(1);
    supplier.meanwhile = () => testApp().db.run('update suppliers set lease = lease + 1');
    await answers(500);
    expect(await hold()).toBe('cost');
  });

  it('a new price and a new cost that are stored at the same time are compared', async () => {
    const { id } = testApp().goods.direct;
    const lowerPrice = async (sql: Sql) => {
      await sql.run('update goods set updated_at = now() where id = $1', [id]);
      await sql.run("update prices set price = 500 where goods_id = $1 and currency = 'CNY'", [id]);
      await sql.one('select supply_refresh($1)', [[id]]);
    };
    await heldBack(testApp().db, lowerPrice, () => answers(550));
    expect(await hold()).toBe('cost');
    await testApp().db.run("update prices set price = 600 where goods_id = $1 and currency = 'CNY'", [id]);
  });

  it('a supplier that no stock type names any more holds nothing', async () => {
    await answers(700);
    await pollSuppliers({ ...context(), providers: { ...testApp().context.providers, supplierFor: () => undefined } });
    expect(await hold()).toBeNull();
  });
});
