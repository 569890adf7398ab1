import type { StaffGoods } from '@shop/server/catalogue/goods.store';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { signedInStaff } from '../testing/staff';
import { importFile } from './import';

const goods = (key: string, more: object = {}) => ({
  key,
  name: { 'zh-CN': '新游戏', en: 'New Game' },
  category: 'games',
  recharge_type: 1,
  status: 1,
  specs: [{ key: '10', name: { 'zh-CN': '十', en: 'Ten' }, face_value: '10', prices: { CNY: '9.90' } }],
  ...more,
});
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

onEveryDatabase('import', (testApp) => {
  const count = () => testApp().db.value<number>('select count(*) from goods');

  it('an import loads products from JSON, and a search finds them by pinyin', async () => {
    const text = pretty({ goods: [goods('new-1')] });
    for (let time = 0; time < 2; time++)
      expect(await importFile(testApp().context, 'x.json', text)).toMatchObject({ goods: 1, faults: [] });
    const { data } = await testApp().get('goods/list?keyword=xyx');
    expect(data.list).toMatchObject([{ name: '新游戏', min_price: '9.90', sold_out: true, initial: 'X' }]);
  });

  it('an import with faults names each product and leaves the database unchanged', async () => {
    const before = await count();
    const text = pretty([
      goods('good-1'),
      goods('bad price', {}),
      goods('bad-2', { recharge_type: 9 }),
      goods('bad-3', { category: 'nowhere' }),
    ]);
    const { faults } = await importFile(testApp().context, 'x.json', text);
    const places = faults.map(({ message }) => message.split(': ').slice(0, 2));
    expect(places).toEqual([
      ['goods 2', 'key'],
      ['goods 3', 'recharge_type'],
      ['goods 4', 'category'],
    ]);
    expect(await count()).toBe(before);
  });

  it('an import loads a CSV of codes, and rejects the whole file for one faulty line', async () => {
    const header = 'goods,spec,card_no,card_pwd,expire_at\n';
    const load = (lines: string) => importFile(testApp().context, 'c.csv', header + lines);
    const bad = await load('new-1,10,C1,P1,\nnew-1,99,C2,P2,\nnew-1,10,C1,P1,\nnew-1,10,C3,P3,soon\n');
    expect([bad.cards, bad.faults.map((fault) => fault.line)]).toEqual([0, [3, 4, 5]]);
    const lines = 'new-1,10,"C,1",P1,2030-01-01\r\nnew-1,10,C2,,\r\n';
    for (const [cards, known] of [
      [2, 0],
      [0, 2],
    ])
      expect(await load(lines)).toMatchObject({ cards, known, faults: [] });
  });

  const stored = async (key: string): Promise<StaffGoods> =>
    (await (await signedInStaff(testApp(), 'stock')).get(`goods/${key}`)).data.value;

  it('an import gives new products the defaults of the console: hidden, without limits', async () => {
    const fresh = goods('fresh', { status: undefined });
    expect((await importFile(testApp().context, 'x.json', pretty([fresh]))).faults).toEqual([]);
    expect(await stored('fresh')).toMatchObject({
      status: 2,
      initial: 'X',
      sort: 1000,
      specs: [{ max_qty: 99, original_prices: { CNY: '9.90' } }],
      limits: { min: 1, max: 99, per_user: null, per_day: null },
    });
  });

  it('a price list changes only the fields that it names: stock, limits, texts, pictures and other prices stay', async () => {
    const stocks =
      "select s.key, s.stock from goods_specs s join goods g on g.id = s.goods_id where g.key = 'listed' order by 1";
    const text = (value: string) => ({ 'zh-CN': value, en: value });
    const [spec] = goods('listed').specs;
    const steps = [
      { from: 10, prices: { CNY: '4.50' } },
      { from: 50, prices: { CNY: '4.20' } },
    ];
    const full = goods('listed', {
      recharge_type: 2,
      status: 3,
      tags: [text('hot')],
      image: '/media/listed.webp',
      description_html: text('<p>About</p>'),
      notice: text('notice'),
      redeem: text('redeem'),
      limits: { min: 2, max: 5, per_user: 7, per_day: 6 },
      need_verify_account: true,
      sort: 5,
      specs: [
        {
          ...spec,
          prices: { CNY: '9.90', USD: '1.50' },
          original_prices: { CNY: '12.00' },
          max_qty: 3,
          stock: 4,
          steps,
        },
        { ...spec, key: '20', stock: 0 },
      ],
    });
    const load = (record: object) => importFile(testApp().context, 'x.json', pretty([record]));
    expect((await load(full)).faults).toEqual([]);
    const before = await stored('listed');
    const [ten, twenty] = before.specs;
    expect(ten?.steps).toEqual(steps);
    const specs = [
      { ...ten, prices: { CNY: '8.80', USD: '1.50' } },
      { ...twenty, prices: { CNY: '18.80' }, original_prices: { CNY: '18.80' } },
    ];
    const prices = [
      { key: '10', prices: { CNY: '8.80' } },
      { key: '20', prices: { CNY: '18.80' } },
    ];
    expect((await load({ key: 'listed', specs: prices })).faults).toEqual([]);
    expect(await stored('listed')).toEqual({ ...before, specs });
    expect(await testApp().db.rows(stocks)).toEqual([
      { key: '10', stock: 4 },
      { key: '20', stock: 0 },
    ]);
    expect((await load({ key: 'listed', limits: { per_day: null } })).faults).toEqual([]);
    expect(await stored('listed')).toEqual({ ...before, specs, limits: { ...before.limits, per_day: null } });
  });

  it.each([
    [
      'a step above the price',
      { specs: [{ ...goods('refused').specs[0], steps: [{ from: 2, prices: { CNY: '99' } }] }] },
      'specs.0.steps.0',
    ],
    ['an unknown field', { stok: 4 }, 'stok'],
    ['a picture of another site', { image: 'https://evil.example/a.webp' }, 'image: A picture of another site'],
  ])('an import refuses %s, as the console does, and reports the place', async (_name, change, place) => {
    const { faults } = await importFile(testApp().context, 'x.json', pretty([{ ...goods('refused'), ...change }]));
    expect(faults).toEqual([{ message: expect.stringContaining(`goods 1: ${place}`) }]);
  });

  it.each([
    ['broken JSON', '[\n{"key": \n]', /^x\.json: Unexpected token .* is not valid JSON/s],
    ['a list that it does not know', '{"cards": []}', /^x\.json: "cards" is not one of the lists goods, categories/],
    ['no list', '"card"', /^x\.json: it has no list/],
  ])('an import refuses %s', async (_name, text, message) => {
    await expect(importFile(testApp().context, 'x.json', text)).rejects.toThrow(message);
  });
});
