import fs from 'node:fs';
import { pollSuppliers } from '@shop/server/suppliers/supplier-offers.service';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { withStaff } from '../testing/staff';

onEveryDatabase('suppliers at /staff', (testApp) => {
  const ann = withStaff(testApp, 'stock');
  const suppliers = async () => (await ann.get('suppliers')).data;
  const values = async (query = 'q=direct') => (await ann.get(`suppliers/values?${query}`)).data.list;
  const answers = (answer: object) =>
    fs.writeFileSync(
      `${testApp().context.config.dataDir}/sandbox-supplier-products.json`,
      JSON.stringify({ 'direct/a': answer }),
    );

  it('staff see the cost and margin of a value and why it is off sale, until they save a price that fits', async () => {
    answers({ costs: { CNY: '7.00', USD: '0.60' } });
    await pollSuppliers(testApp().context);
    expect(await suppliers()).toMatchObject([{ name: 'sandbox', fault: '', failing_since: null, asking: false }]);
    expect(await values()).toMatchObject([
      {
        goods: 'direct',
        spec: 'a',
        supplier: 'sandbox',
        hold: 'cost',
        prices: [
          { currency: 'CNY', price: '6.00', cost: '7.00', margin: -16.7 },
          { currency: 'USD', price: '1.50', cost: '0.60', margin: 60 },
        ],
      },
    ]);
    const { value, revision } = (await ann.get('goods/direct')).data;
    const prices = { CNY: '7.00', USD: '1.50' };
    const specs = [{ ...value.specs[0], prices, original_prices: prices }];
    expect((await ann.save('goods', 'direct', { ...value, specs }, revision)).code).toBe(200);
    expect(await values()).toMatchObject([{ hold: null }]);
    expect(await values('page=2')).toEqual([]);
  });

  it('staff ask a supplier now, which is recorded, and no unknown one', async () => {
    expect((await ann.post('suppliers/ask', { name: 'unknown' })).code).toBe(404);
    expect((await ann.post('suppliers/ask', { name: 'sandbox' })).code).toBe(200);
    expect(await suppliers()).toMatchObject([{ asking: true }]);
    answers({ available: false });
    await pollSuppliers(testApp().context);
    expect(await suppliers()).toMatchObject([{ asking: false }]);
    expect(await values()).toMatchObject([{ hold: 'out' }]);
    const entries = await testApp().db.rows("select actor, subject from audit_log where action = 'supplier.ask'");
    expect(entries).toEqual([{ actor: ann.actor, subject: 'sandbox' }]);
  });
});
