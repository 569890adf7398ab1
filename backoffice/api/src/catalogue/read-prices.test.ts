import { writeXlsx, XlsxStreamWriter } from 'hucre/xlsx';
import { type PriceCells, type PriceRow, readPrices } from './read-prices';

const row = (goods: string, spec: string): PriceRow => ({
  goods,
  spec,
  name: goods,
  spec_name: spec,
  'cost.CNY': null,
  'cost.USD': null,
  'price.CNY': '10.00',
  'price.USD': '1.50',
  'original.CNY': null,
  'original.USD': '2.00',
});
const current = [row('card', 'a'), row('card', 'b'), row('solo', '100')];

/** Each change as "row goods/spec cell old>new", and each fault as "row column kind". */
async function read(file: string | Uint8Array) {
  const { changes, faults } = await readPrices(Buffer.from(file), async () => current);
  const shown = changes.flatMap(({ row, goods, spec, before, after }) =>
    Object.entries(after).map(
      ([cell, value]) => `${row} ${goods}/${spec} ${cell} ${before[cell as keyof PriceCells]}>${value}`,
    ),
  );
  return [
    ...shown,
    ...faults.map(({ row, column, kind, other }) => [row, column, kind, other].filter(Boolean).join(' ')),
  ];
}
const price = (text: string) => `goods;spec;price CNY\ncard;a;"${text}"\n`;

it.each([
  ['commas', 'goods,spec,price (CNY)\ncard,a,9.5\n', 2],
  ['semicolons and a decimal comma', 'goods;spec;Price (CNY)\r\ncard;a;9,5\r\n', 2],
  ['tabs and a byte order mark', '\uFEFF商品编号\t规格编码\t价格（CNY）\ncard\ta\t9.50\n', 2],
  ['short Chinese names in another order', '售价,规格ID,商品ID\n￥9.5,a,card\n', 2],
  [
    'a title, empty rows and unknown columns',
    '十一月价目表\n\n备注,产品编号,面值编号,现价（元）\n,,,\n好,card,a,9.5元\n',
    5,
  ],
  ['a line separator in a name', 'goods,name,spec,price CNY\ncard,Ten\u2028gems,a,9.5\n', 2],
  // 商品编号,面值编号,价格 in GBK, which spreadsheets in China write as "CSV".
  [
    'GBK',
    Buffer.concat([Buffer.from('c9ccc6b7b1e0bac52cc3e6d6b5b1e0bac52cbcdbb8f10a', 'hex'), Buffer.from('card,a,9.5\n')]),
    2,
  ],
])('reads a price list with %s', async (_name, file, at) => {
  expect(await read(file)).toEqual([`${at} card/a price.CNY 10.00>9.50`]);
});

it.each([
  ['¥ 1,234.50', '1234.50'],
  ['RMB 12.3', '12.30'],
  ['', 'null'],
])('reads the price %j as people write it', async (text, value) => {
  expect(await read(price(text))).toEqual([`2 card/a price.CNY 10.00>${value}`]);
});

it.each([
  ['1,234', 'number'],
  ['ten', 'number'],
  ['$12', 'number'],
  ['0.00', 'number'],
  ['1.234', 'number'],
  ['12345678901', 'number'],
  ['1.23457E+15', 'spreadsheet'],
  ['#N/A', 'spreadsheet'],
])('refuses the price %j by row, column and reason', async (text, kind) => {
  expect(await read(price(text))).toEqual([`2 price CNY ${kind}`]);
});

const head = 'goods,spec,price CNY,original price CNY,price USD,original price USD\n';
it.each([
  ['an unchanged row, and an original that repeats the price', 'card,a,10,10.00,1.5,2', ''],
  ['a price without a discount, whose original follows', 'card,a,12,,1.5,2', '2 card/a price.CNY 10.00>12.00'],
  ['a discount', 'card,a,10,15,1.5,2', '2 card/a original.CNY null>15.00'],
  ['an original below its price', 'card,a,10,8,1.5,2', '2 original price CNY original'],
  [
    'a sale that ends in one currency',
    'card,a,10,,,2,',
    '2 card/a price.USD 1.50>null\n2 card/a original.USD 2.00>null',
  ],
  ['no price at all', 'card,a,,,,,', '2 price CNY noPrice'],
  ['a row without its last, empty cells', 'card,a,10', '2 card/a price.USD 1.50>null\n2 card/a original.USD 2.00>null'],
  ['a value twice', 'card,a,10,,1.5,2\n\ncard,a,8,,1.5,2', '4 spec twice 2'],
  ['an unknown product and value', 'nope,a,9,,,,\ncard,z,9,,,,', '2 goods goods\n3 spec goods'],
  ['a key that a spreadsheet has changed', '1.2E+15,a,9,,,,', '2 goods spreadsheet'],
  ['the only value of a product without its key', 'solo,,9,,1.5,2', '2 solo/100 price.CNY 10.00>9.00'],
  ['several values without a key', 'card,,9,,1.5,2', '2 spec goods'],
])('compares %s with the shop', async (_name, rows, result) => {
  expect((await read(`${head}${rows}\n`)).join('\n')).toBe(result);
});

it('a column that is left out changes nothing, also not an original price above the new price', async () => {
  expect(await read('goods,spec,price USD\ncard,a,1.8\n')).toEqual(['2 card/a price.USD 1.50>1.80']);
  expect(await read('goods,spec,price USD\ncard,a,2.5\n')).toEqual(['2 price USD original']);
});

it.each([
  ['a file without a header', 'card,a,9\n', '1 header'],
  ['a header without prices', 'goods,spec,name\ncard,a,x\n', '1 header'],
  ['an empty file', '', '1 header'],
  ['a column twice', 'goods,spec,price CNY,价格\ncard,a,10,11\n', '1 价格 column'],
  ['a quotation mark without a partner', 'goods,spec,price CNY\ncard,a,"9\ncard,b,9\n', '2 quote'],
  ['bytes that are no text', Buffer.from([0x67, 0, 0x6f, 0, 0xff, 0xff]), '1 header'],
  ['a workbook of old or encrypted Excel', Buffer.from('d0cf11e0a1b11ae1', 'hex'), '1 file'],
  ['a row of 2 MB', `${head}${'card,'.repeat(400_000)}`, '1 file'],
  ['a damaged workbook', Buffer.from('PK\x03\x04 and nothing'), '1 file'],
  ['too many rows', `${head}${'card,a,10,,1.5,2\n'.repeat(5001)}`, '5002 file'],
])('refuses %s', async (_name, file, fault) => {
  const lines = await read(file);
  expect(lines.filter((line) => !/twice|price\.CNY/.test(line))).toEqual([fault]);
});

it('reads a workbook: numbers with remainders, dates and long numbers in place of keys, and the first sheet only', async () => {
  const rows = [
    ['goods', 'spec', 'price CNY', 'original price CNY'],
    ['card', 'a', 0.1 + 0.2, null],
    ['solo', 100, '1.234,50', 2000],
    [new Date('2026-01-02'), 'a', 9, null],
    [1234567890123456, 'a', 9, null],
  ];
  const file = await writeXlsx({
    sheets: [
      { name: 'one', rows },
      { name: 'two', rows },
    ],
  });
  expect(await read(file)).toEqual([
    '2 card/a price.CNY 10.00>0.30',
    '3 solo/100 price.CNY 10.00>1234.50',
    '3 solo/100 original.CNY null>2000.00',
    '4 goods spreadsheet',
    '5 goods spreadsheet',
  ]);
});

it('refuses a workbook that unpacks to more than 6 MB, also if it hides its size', async () => {
  const writer = new XlsxStreamWriter({ name: 'bomb' });
  for (let at = 0; at < 80; at++) writer.addRow([`${at}${'x'.repeat(100_000)}`]);
  const bomb = Buffer.from(await writer.finish());
  expect(bomb.length).toBeLessThan(200_000);
  expect(await read(bomb)).toEqual(['1 file']);
  for (let at = bomb.indexOf('PK\x01\x02'); at >= 0; at = bomb.indexOf('PK\x01\x02', at + 1))
    bomb.writeUInt32LE(0, at + 24);
  expect(await read(bomb)).toEqual(['1 file']);
});
