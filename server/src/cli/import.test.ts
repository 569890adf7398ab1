import { onEveryDatabase } from '../../test/support/test-app';
import { importFile } from './import';
import { parseCsv } from './read-records';

const goods = (key: string, more: object = {}) => ({
  key,
  name: { 'zh-CN': '新游戏', en: 'New Game' },
  category: 'games',
  recharge_type: 1,
  specs: [{ key: '10', name: { 'zh-CN': '十', en: 'Ten' }, face_value: '10', prices: { CNY: '9.90' } }],
  ...more,
});
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

onEveryDatabase('import', (testApp) => {
  const count = async () => (await testApp().db.one<{ n: number }>('select count(*) as n from goods')).n;

  it('loads goods and codes from JSON, and finds the goods by pinyin', async () => {
    const text = pretty({
      goods: [goods('new-1')],
      cards: [
        { goods: 'new-1', spec: '10', card_no: 'AAA', card_pwd: '1' },
        { goods: 'new-1', spec: '10', card_no: 'BBB', card_pwd: '2' },
      ],
    });
    expect(await importFile(testApp().context, 'x.json', text)).toMatchObject({
      goods: 1,
      cards: 2,
      known: 0,
      faults: [],
    });
    expect(await importFile(testApp().context, 'x.json', text)).toMatchObject({
      goods: 1,
      cards: 0,
      known: 2,
      faults: [],
    });
    const { data } = await testApp().get('goods/list?keyword=xyx');
    expect(data.list).toMatchObject([{ name: '新游戏', min_price: '9.90', sold_out: false, initial: 'X' }]);
  });

  it('keeps codes encrypted', async () => {
    const rows = await testApp().db.rows<{ card_no: Buffer }>('select card_no from card_codes');
    expect(rows.some((row) => row.card_no.toString('latin1').includes('AAA'))).toBe(false);
  });

  it('names the line of every fault and leaves the database as it was', async () => {
    const before = await count();
    const text = pretty([
      goods('good-1'),
      goods('bad price', {}),
      goods('bad-2', { recharge_type: 9 }),
      goods('bad-3', { category: 'nowhere' }),
    ]);
    const report = await importFile(testApp().context, 'x.json', text);
    const lines = text.split('\n');
    expect(report.faults).toHaveLength(3);
    expect(report.faults.map((fault) => lines[fault.line - 1])).toEqual(['  {', '  {', '  {']);
    expect(report.faults.map((fault) => fault.line)).toEqual(
      [...report.faults.map((fault) => fault.line)].sort((a, b) => a - b),
    );
    expect(report.faults[1]?.message).toContain('recharge_type');
    expect(await count()).toBe(before);
  });

  it('loads a CSV of codes, and refuses the whole file for one bad line', async () => {
    const header = 'goods,spec,card_no,card_pwd,expire_at\n';
    const bad = await importFile(
      testApp().context,
      'c.csv',
      `${header}new-1,10,C1,P1,\nnew-1,99,C2,P2,\nnew-1,10,C1,P1,\nnew-1,10,C3,P3,soon\n`,
    );
    expect(bad.faults.map((fault) => fault.line)).toEqual([3, 4, 5]);
    expect(bad.cards).toBe(0);
    const good = await importFile(
      testApp().context,
      'c.csv',
      `${header}new-1,10,"C,1",P1,2030-01-01\r\nnew-1,10,C2,,\r\n`,
    );
    expect(good).toMatchObject({ cards: 2, faults: [] });
  });

  it('loads a CSV of goods, one line a spec', async () => {
    const text = `key,name_zh,name_en,category,recharge_type,spec_key,spec_name_zh,spec_name_en,face_value,price_cny,price_usd,stock
csv-1,表格游戏,Sheet Game,games,2,a,甲,A,1,1.00,0.20,5
csv-1,,,,,b,乙,B,2,2.00,0.40,
`;
    expect(await importFile(testApp().context, 'g.csv', text)).toMatchObject({ goods: 1, faults: [] });
    const { data } = await testApp().get('goods/list?keyword=bgyx');
    const info = await testApp().get(`goods/info?id=${data.list[0].id}`);
    expect(info.data.specs.map((spec: { price: string }) => spec.price)).toEqual(['1.00', '2.00']);
  });

  it('changes nothing in a dry run', async () => {
    const before = await count();
    expect(await importFile(testApp().context, 'x.json', pretty([goods('dry-1')]), { dryRun: true })).toMatchObject({
      goods: 1,
      faults: [],
    });
    expect(await count()).toBe(before);
  });

  it('says where JSON or CSV is broken', async () => {
    await expect(importFile(testApp().context, 'x.json', '[\n{"key": \n]')).rejects.toMatchObject({
      line: expect.any(Number),
    });
    expect(() => parseCsv('a,b\n"open')).toThrow('not closed');
  });
});
