import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { parseCsv } from 'hucre/csv';
import { readXlsx } from 'hucre/xlsx';
import { storedCatalogue, withStaff } from '../testing/staff';
import { level } from '../testing/values';

onEveryDatabase('price lists at /staff', (testApp) => {
  const ann = withStaff(testApp, 'stock');
  beforeAll(async () => {
    const value = level({ prices: [{ goods: 'card', spec: 'a', prices: { CNY: '8' } }] });
    expect((await ann.save('levels', 'gold', value)).code).toBe(200);
  });

  const download = async (file: object, locale = 'en') =>
    (await ann.inject('POST', 'prices/file', { q: '', ...file }, { locale })).rawPayload;
  const upload = async (call: string, file: string) =>
    (await ann.inject('POST', `prices/${call}`, Buffer.from(file), { 'content-type': 'text/csv' })).json();
  const preview = async (file: string) => (await upload('preview', file)).data;
  const apply = (file: string, revision: string) => upload(`apply?revision=${revision}`, file);
  const undo = (id: number) => ann.post('prices/undo', { id });
  const edits = async () => (await ann.get('prices/edits')).data;
  const stored = () => storedCatalogue(testApp());
  const entries = () => testApp().db.value<number>('select count(*) from audit_log');

  it('the price list has a row per value of the products that a search finds, in the chosen language, and changes nothing', async () => {
    const csv = (await download({ format: 'csv' })).toString();
    const [head, ...rows] = parseCsv(csv);
    expect(csv.charCodeAt(0)).toBe(0xfeff);
    const prices = ['CNY', 'USD'].flatMap((name) => [`Price (${name})`, `Original price (${name})`, `Cost (${name})`]);
    expect(head).toEqual(['Product key', 'Product name', 'Value key', 'Value name', ...prices]);
    const count = await testApp().db.value<number>('select count(*) from goods_specs where active');
    expect(rows).toHaveLength(count);
    const workbook = await readXlsx(await download({ format: 'xlsx' }, 'zh-CN'));
    expect(workbook.sheets[0]?.rows).toHaveLength(count + 1);
    for (const file of [csv, (await download({ format: 'csv' }, 'zh-CN')).toString()])
      expect(await preview(file)).toMatchObject({ changes: [], faults: [], unknown: [] });
    expect(parseCsv((await download({ format: 'csv', q: 'card' })).toString()).map(([key]) => key)).toEqual([
      'Product key',
      'card',
      'card',
    ]);
  });

  it('a price list shows margins, is applied as one edit, which the products’ histories show, and its undo restores everything', async () => {
    const before = await stored();
    const file = 'goods,spec,price CNY,original price CNY,price USD\ncard,a,9.9,12,\ncard,b,20,,1.5\n';
    const shown = await preview(file);
    expect(shown).toMatchObject({
      faults: [],
      changes: [
        {
          goods: 'card',
          spec: 'a',
          row: 2,
          after: { 'price.CNY': '9.90', 'original.CNY': '12.00', 'price.USD': null },
          buyers: [
            { level: null, currency: 'CNY', price: '9.90', margin: null },
            { level: 'Gold', currency: 'CNY', price: '8.00' },
          ],
        },
        {
          spec: 'b',
          buyers: [{ price: '20.00' }, { price: '19.00' }, { currency: 'USD', price: '1.50' }, { price: '1.43' }],
        },
      ],
    });
    expect((await apply(file, shown.revision)).data).toEqual({ values: 2 });
    const { value } = (await ann.get('goods/card')).data;
    expect(value).toMatchObject({
      specs: [
        { prices: { CNY: '9.90' }, original_prices: { CNY: '12.00' } },
        { prices: { CNY: '20.00', USD: '1.50' }, original_prices: { CNY: '20.00', USD: '1.50' } },
      ],
    });
    const [entry] = (await ann.get('goods/card/history')).data;
    expect(entry).toMatchObject({ by: ann.actor, after: { specs: value.specs } });
    const [edit] = await edits();
    expect(edit).toMatchObject({ by: ann.name, values: 2, put_back: null });
    expect((await undo(edit.id)).data).toEqual({ values: 2 });
    expect(await stored()).toEqual(before);
    expect(await edits()).toMatchObject([{ put_back: edit.id }, { id: edit.id }]);
    expect((await undo(edit.id)).code).toBe(46030);
    expect((await undo(1)).code).toBe(404);
  });

  it('a price list is refused as a whole if a price has changed since the preview, or if a row has a fault', async () => {
    const file = `goods,spec,price CNY\ndirect,a,7\ncard,a,7.5\n`;
    const { revision } = await preview(file);
    await testApp().db.run(
      "update prices set price = price + 1, original_price = original_price + 1 where goods_id = (select id from goods where key = 'card')",
    );
    const [before, count] = [await stored(), await entries()];
    expect((await apply(file, revision)).code).toBe(46030);
    const faulty = `${file}nope,a,1\n`;
    const { revision: next, faults } = await preview(faulty);
    expect(faults).toEqual([{ row: 4, column: 'goods', kind: 'goods', text: 'nope' }]);
    expect((await apply(faulty, next)).code).toBe(40001);
    expect([await stored(), await entries()]).toEqual([before, count]);
  });

  it('the undo of a price list keeps the later price of another user, and later edits of other fields', async () => {
    const file = `goods,spec,price CNY\ndirect,a,70\ncard,a,75\n`;
    await apply(file, (await preview(file)).revision);
    const [{ id }] = await edits();
    const { value, revision } = (await ann.get('goods/card')).data;
    const notice = { 'zh-CN': '新', en: 'new' };
    const saved = await ann.save('goods', 'card', { ...value, notice }, revision);
    const later = `goods,spec,price CNY\ncard,a,76\n`;
    await apply(later, (await preview(later)).revision);
    const before = await stored();
    expect((await undo(id)).code).toBe(46030);
    expect(await stored()).toEqual(before);
    await undo((await edits())[0].id);
    expect((await undo(id)).code).toBe(200);
    expect((await ann.get('goods/card')).data.value).toMatchObject({ notice: saved.data.value.notice });
  });

  it('two uploads of one list at the same time apply it once', async () => {
    const file = `goods,spec,price CNY\ncard,a,33\n`;
    const { revision } = await preview(file);
    const answers = await Promise.all([apply(file, revision), apply(file, revision)]);
    expect(answers.map(({ code }) => code).sort()).toEqual([200, 46030]);
  });
});
