import { readReports } from '@shop/backoffice/reports/reports.routes';
import { repetitions } from '../../../scripts/jest/test-scale';
import { FaultySupplier, supplierFaults } from '../../test/support/doubles/faulty-supplier';
import { deliver, refund } from '../../test/support/money-back';
import { onEveryDatabase, type User } from '../../test/support/test-app';
import { times } from '../../test/support/times';
import type { AppContext } from '../context';
import { Keyring } from '../platform/crypto/keyring';
import { serveSuppliers } from './suppliers.service';

const ORDERS = repetitions(1000);
const PRICE = 600;

onEveryDatabase('supplier orders', (testApp) => {
  let supplier: FaultySupplier;
  let user: User;
  beforeAll(() => testApp().db.run('update goods_specs set stock = null where id = $1', [testApp().spec('direct')]));
  beforeEach(async () => {
    supplier = new FaultySupplier();
    user = await testApp().user(100 * PRICE);
  });
  afterEach(() => testApp().check());

  const context = (): AppContext => {
    const { context } = testApp();
    return { ...context, providers: { ...context.providers, supplierFor: () => supplier } };
  };
  const serve = () => serveSuppliers(context());
  const buyOne = (buyer: User) => buyer.bought({ ...testApp().orderBody('direct'), fields: { uid: '10001' } });
  const buy = async (count: number) => {
    const orders: string[] = [];
    while (orders.length < count) orders.push(await buyOne(user));
    return orders;
  };
  const timePasses = (minutes = 0) =>
    testApp().db.run(
      `update supplier_requests set next_at = clock_timestamp(), sent_at = sent_at - make_interval(mins => $1)
        where state in (0, 1, 3) and next_at < 'infinity'`,
      [minutes],
    );
  const serveLater = async (minutes?: number) => {
    await timePasses(minutes);
    await serve();
  };
  const statusOf = async (orderNo: string) => (await user.info(orderNo)).data.status as number;
  const requestOf = (orderNo: string) =>
    testApp().db.one<{ state: number; tries: number; detail: string }>(
      'select r.state, r.tries, r.detail from supplier_requests r join orders o on o.id = r.order_id where order_no = $1',
      [orderNo],
    );

  const isDueAgainAfter = async (seconds: number, order: string) => {
    await timePasses();
    return testApp().isPutOff('next_at', 'supplier_requests where reference', order, seconds, serve);
  };

  it('supplier orders are processed up to the given number per run', async () => {
    const orders = await buy(3);
    expect(await serveSuppliers(context(), 2)).toBe(2);
    expect(orders.filter((order) => supplier.of(order).sent)).toHaveLength(2);
    expect(await serve()).toBe(1);
  });

  it('supplier orders wait while no supplier is configured, and while their fields cannot be decrypted', async () => {
    const [order = ''] = await buy(1);
    const { providers } = testApp().context;
    await serveSuppliers({ ...context(), providers: { ...providers, supplierFor: () => undefined } });
    expect(await requestOf(order)).toMatchObject({ state: 0, detail: expect.stringContaining('no supplier') });
    await timePasses();
    await serveSuppliers({ ...context(), keyring: new Keyring([{ id: 'another', key: Buffer.alloc(32) }]) });
    expect(await requestOf(order)).toMatchObject({ state: 0, detail: expect.stringContaining('cannot be read') });
    expect(supplier.of(order).sent).toBe(0);
    await serveLater();
    expect(await statusOf(order)).toBe(30);
  });

  it('a supplier order whose supplier timed out is only queried, not sent again', async () => {
    const [order = ''] = await buy(1);
    let waited: number | undefined;
    supplier.meanwhile = () => {
      // The next timer is the timeout of this call.
      jest.spyOn(globalThis, 'setTimeout').mockImplementationOnce((end, ms, ...values) => {
        waited = ms;
        return setImmediate(end, ...values) as never;
      });
      return new Promise(() => {});
    };
    await serve();
    jest.restoreAllMocks();
    expect(waited).toBe(20_000);
    expect(await requestOf(order)).toMatchObject({ state: 1, detail: 'no answer within 20 s' });
    await serveLater();
    expect([supplier.of(order).sent, await statusOf(order)]).toEqual([1, 30]);
  });

  it('a pending supplier order is queried after pauses that grow to an hour', async () => {
    supplier.plan = () => 'slow';
    const [order = ''] = await buy(1);
    for (const [tries, pause] of [
      [0, 2],
      [1, 4],
      [8, 512],
      [9, 600],
      [10, 600],
      [11, 3600],
    ] as const) {
      await testApp().db.run('update supplier_requests set tries = $2 where reference = $1', [order, tries]);
      supplier.of(order).queried = 0;
      expect([tries, await isDueAgainAfter(pause, order)]).toEqual([tries, true]);
    }
    supplier.plan = () => 'none';
    await serveLater();
    expect(await statusOf(order)).toBe(30);
  });

  it('a supplier order cannot be refunded while its supplier may still deliver, and staff see the reason', async () => {
    supplier.plan = () => 'slow';
    const [order = ''] = await buy(1);
    await serve();
    await expect(refund(testApp().context, order)).rejects.toMatchObject({
      code: 43022,
      data: { tries: 1, detail: 'pending' },
    });
    await expect(
      testApp().db.one("select order_refund(id, '', 'test') from orders where order_no = $1", [order]),
    ).rejects.toMatchObject({ code: 'SHOPE', message: '43022' });
    expect(await user.balance()).toBe('594.00');
    await refund(testApp().context, order, { not_delivered: true });
    expect([await statusOf(order), await user.balance()]).toEqual([60, '600.00']);
  });

  it('a late answer does not change a supplier order that another process has claimed', async () => {
    supplier.plan = () => 'refuses';
    const [order = ''] = await buy(1);
    supplier.meanwhile = async () => {
      supplier.plan = () => 'loses the answer';
      await serveLater();
      supplier.plan = () => 'refuses';
    };
    await serve();
    expect([await statusOf(order), await user.balance()]).toEqual([30, '594.00']);
    expect(await requestOf(order)).toMatchObject({ state: 2 });
  });

  it('a late answer does not undo a manual delivery by staff', async () => {
    supplier.plan = () => 'refuses';
    const [order = ''] = await buy(1);
    supplier.meanwhile = async () => {
      await deliver(testApp().context, order);
    };
    await serve();
    await serveLater();
    expect([await statusOf(order), await user.balance()]).toEqual([30, '594.00']);
  });

  it('a supplier order is refunded after the supplier refused twice, and delivered if the refusal was wrong', async () => {
    const [refused = '', wrong = '', forgotten = ''] = await buy(3);
    supplier.plan = (reference) => (reference === wrong ? 'refuses, then delivers' : 'refuses');
    await serve();
    expect([await statusOf(refused), await statusOf(wrong), await statusOf(forgotten)]).toEqual([12, 12, 12]);
    supplier.orders.delete(forgotten);
    await serveLater();
    expect([await statusOf(refused), await statusOf(wrong), await statusOf(forgotten)]).toEqual([60, 30, 60]);
  });

  it('a refunded supplier order is queried three more times, and once more after a failed query', async () => {
    supplier.plan = () => 'refuses';
    const [order = ''] = await buy(1);
    for (const pause of [60, 600, 3600]) expect([pause, await isDueAgainAfter(pause, order)]).toEqual([pause, true]);
    supplier.plan = () => 'answers 500';
    supplier.of(order).queried = 0;
    expect(await isDueAgainAfter(3600, order)).toBe(true);
    supplier.plan = () => 'refuses';
    expect(await isDueAgainAfter(86_400, order)).toBe(true);
    await serveLater();
    const never = "select 1 from supplier_requests where reference = $1 and next_at = 'infinity'";
    expect(await testApp().db.row(never, [order])).toBeDefined();
  });

  it('a supplier order with a disputed payment is delivered but not refunded', async () => {
    const [refused = '', delivered = ''] = await buy(2);
    supplier.plan = (reference) => (reference === refused ? 'refuses' : 'loses the answer');
    await serve();
    const dispute = (is: boolean) =>
      testApp().db.run('update orders set disputed = $2 where order_no = any($1)', [[refused, delivered], is]);
    await dispute(true);
    await serveLater();
    expect([await statusOf(refused), await statusOf(delivered)]).toEqual([12, 30]);
    expect(await requestOf(refused)).toMatchObject({ state: 1, detail: expect.stringContaining('disputed') });
    await dispute(false);
    await serveLater();
    expect([await statusOf(refused), await statusOf(delivered)]).toEqual([60, 30]);
  });

  it('a supplier order is only queried after a lost connection, and refunded if the supplier never got it', async () => {
    supplier.plan = () => 'loses the order';
    const [order = ''] = await buy(1);
    await serve();
    await serveLater(5);
    expect(await statusOf(order)).toBe(12);
    await serveLater(11);
    expect([supplier.of(order), await statusOf(order)]).toEqual([{ sent: 0, queried: 2, delivered: 0 }, 60]);
  });

  it('a supplier order without a connection is sent later, and can be refunded until then', async () => {
    supplier.plan = () => 'refuses connections';
    const [order = '', other = ''] = await buy(2);
    await serve();
    await refund(testApp().context, other);
    await serveLater();
    await serveLater();
    expect([supplier.of(order).sent, await statusOf(order)]).toEqual([1, 30]);
    expect([supplier.of(other).sent, await statusOf(other)]).toEqual([0, 60]);
  });

  it('a supplier delivery after the refund is reported', async () => {
    supplier.plan = () => 'refuses twice, then delivers';
    const [order = ''] = await buy(1);
    await serve();
    await serveLater();
    expect(await statusOf(order)).toBe(60);
    await timePasses();
    await expect(serve()).rejects.toThrow(`order ${order} was delivered after it had been refused`);
    await serveLater();
    const today = new Date().toISOString().slice(0, 10);
    const shown = await readReports(testApp().db, { from: today, to: today }, 'UTC', 'en');
    expect(shown.late).toContainEqual(expect.objectContaining({ order_no: order }));
  });

  it(`money and goods match after ${ORDERS} orders with a slow, lying and crashing supplier`, async () => {
    const draw = randomNumbers(20261122);
    const { db } = testApp();
    const buyers = await times(10, () => testApp().user(ORDERS * PRICE));
    const orders: string[] = [];
    for (let index = 0; index < ORDERS; index++) orders.push(await buyOne(buyers[index % buyers.length] as User));
    const plans = new Map(
      orders.map((order, index) => [order, supplierFaults[index % supplierFaults.length] ?? 'none']),
    );
    supplier.plan = (reference) => plans.get(reference) ?? 'none';
    supplier.meanwhile = async (reference) => {
      if (supplier.plan(reference) !== 'outlives its lease') return;
      await db.run('update supplier_requests set next_at = clock_timestamp() where reference = $1', [reference]);
      for (let turn = 0; turn < 50 && !supplier.of(reference).queried; turn++) await new Promise(setImmediate);
    };

    let reported = 0;
    const work = async () => {
      const process = draw(3) === 0 ? crashing(context(), 1 + draw(20)) : context();
      await serveSuppliers(process, 60).catch((error: Error) => {
        const reports = error.message.match(/delivered after it had been refused/g)?.length ?? 0;
        if (!reports && !error.message.includes('killed')) throw error;
        reported += reports;
      });
    };
    const refundSome = async () => {
      for (let count = 0; count < ORDERS / 50; count++)
        await refund(testApp().context, orders[draw(orders.length)] ?? '').catch(() => {});
    };
    const open = () =>
      db.row("select 1 from supplier_requests where state in (0, 1, 3) and next_at < 'infinity' limit 1");
    for (let round = 0; round < 400 && (await open()); round++) {
      await Promise.all([work(), work(), work(), round < 20 ? refundSome() : undefined]);
      await timePasses(3);
    }

    const rows = await db.rows<{ order_no: string; status: number; state: number; first: string }>(
      `select o.order_no, o.status, r.state,
              (select e.kind from order_events e where e.order_id = o.id and e.kind in ('delivered', 'refunded') order by e.id limit 1) as first
         from orders o join supplier_requests r on r.order_id = o.id where order_no = any($1)`,
      [orders],
    );
    const counts = { delivered: 0, refunded: 0, reported: 0 };
    for (const { order_no, status, state, first } of rows) {
      const { sent, delivered } = supplier.of(order_no);
      expect(sent).toBeLessThanOrEqual(1);
      const ended = delivered && state !== 4 ? 'delivered' : 'refunded';
      const expected = { first: ended, delivered: state === 4 ? 1 : delivered };
      expect([order_no, plans.get(order_no), { first, delivered }]).toEqual([order_no, plans.get(order_no), expected]);
      if (state === 4) counts.reported += 1;
      else if (status === 30) counts.delivered += 1;
      else if (!delivered) counts.refunded += 1;
    }
    expect(rows).toHaveLength(ORDERS);
    expect(reported).toBe(counts.reported);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
    const spent = await testApp().value(
      'select (count(*) * $2 - sum(balance))::bigint from wallets where user_id = any($1)',
      [buyers.map((buyer) => buyer.id), ORDERS * PRICE],
    );
    expect(spent).toBe(counts.delivered * PRICE);
  }, 600_000);
});

function crashing(of: AppContext, answers: number): AppContext {
  let left = answers;
  const supplierFor = (stockType: string) => {
    const supplier = of.providers.supplierFor(stockType);
    if (!supplier) return undefined;
    const counted = async <T>(call: Promise<T>) => {
      const answer = await call;
      left -= 1;
      return answer;
    };
    return Object.assign(Object.create(supplier) as typeof supplier, {
      order: (order: Parameters<typeof supplier.order>[0]) => counted(supplier.order(order)),
      query: (reference: string) => counted(supplier.query(reference)),
    });
  };
  const db = new Proxy(of.db, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return left > 0 ? value.bind(target) : () => Promise.reject(new Error('killed'));
    },
  });
  return { ...of, db, providers: { ...of.providers, supplierFor } };
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
