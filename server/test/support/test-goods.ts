import fs from 'node:fs';
import path from 'node:path';
import { addCards, type GoodsInput, saveCategory, saveGoods } from '../../src/catalogue/goods.store';
import { Keyring } from '../../src/platform/crypto/keyring';
import { randomNumber } from '../../src/platform/crypto/tokens';
import type { Database } from '../../src/platform/db/database';

const secrets = { 'app-secret': 'the secret of the server tests', 'card-key': Buffer.alloc(32, 7).toString('base64') };

export function writeSecrets(folder: string): void {
  for (const [name, secret] of Object.entries(secrets)) fs.writeFileSync(path.join(folder, name), secret);
}

export type TestGoods = Record<
  'card' | 'direct' | 'custom' | 'manual',
  { id: number; specs: ReadonlyMap<string, number> }
>;

const testKeyring = new Keyring([{ id: 'local', key: Buffer.from(secrets['card-key'], 'base64') }]);

export async function saveTestGoods(db: Database, keyring = testKeyring): Promise<void> {
  await saveCategory(db, { key: 'games', name: { 'zh-CN': '游戏', en: 'Games' }, icon: '', sort: 0 });
  const save = ({ key, ...goods }: Partial<GoodsInput> & { key: string }) =>
    saveGoods(db, key, { ...plainGoods, ...goods });
  const spec = (key: string, price: string, stock: number | null = null) => ({
    key,
    name: { 'zh-CN': `面值${key}`, en: `Value ${key}` },
    face_value: key,
    prices: { CNY: price, USD: '1.50' },
    max_qty: 10,
    stock,
  });
  const uid = {
    key: 'uid',
    label: { 'zh-CN': '账号', en: 'Account' },
    type: 'text' as const,
    required: true,
    max_len: 20,
    remember: true,
  };
  const hidden = { ...uid, key: 'secret', type: 'password' as const, required: false };
  const card = await save({
    key: 'card',
    name: { 'zh-CN': '原神', en: 'Genshin Impact' },
    specs: [spec('a', '10.00'), spec('b', '33.33')],
  });
  await save({
    key: 'direct',
    recharge_type: 2,
    stock_type: '91',
    specs: [spec('a', '6.00', 5)],
    fields: [uid, hidden],
  });
  await save({
    key: 'custom',
    recharge_type: 2,
    stock_type: '91',
    spec_type: 2,
    custom: { min: 10, max: 1000, step: 10, unit_price: { CNY: '0.10' }, unit: { 'zh-CN': '点', en: 'points' } },
    fields: [uid],
  });
  await save({ key: 'manual', recharge_type: 4, specs: [spec('a', '20.00')] });
  const addStock = (specId = 0, count = 0) => addCards(db, keyring, specId, newCards(count));
  await addStock(card.get('a'), 200);
  await addStock(card.get('b'), 50);
}

export const newCards = (count: number) =>
  Array.from({ length: count }, () => ({ card_no: randomNumber(), card_pwd: randomNumber(8) }));

export async function readTestGoods(db: Database): Promise<TestGoods> {
  const rows = await db.rows<{ key: keyof TestGoods; id: number; specs: Record<string, number> }>(
    `select g.key, g.id, coalesce(jsonb_object_agg(s.key, s.id) filter (where s.id is not null), '{}') as specs
       from goods g left join goods_specs s on s.goods_id = g.id group by g.id`,
  );
  const goods = rows.map(({ key, id, specs }) => [key, { id, specs: new Map(Object.entries(specs)) }]);
  return Object.fromEntries(goods) as TestGoods;
}

const plainGoods: GoodsInput = {
  name: { 'zh-CN': '测试商品', en: 'Test goods' },
  category: 'games',
  aliases: [],
  initial: 'C',
  recharge_type: 1,
  stock_type: 'stock',
  status: 1,
  spec_type: 1,
  tags: [],
  image: '/media/x.webp',
  images: [],
  description_html: { 'zh-CN': '<p>说明</p>', en: '<p>About</p>' },
  notice: { 'zh-CN': '', en: '' },
  redeem: { 'zh-CN': '', en: '' },
  specs: [],
  custom: null,
  fields: [],
  limits: { min: 1, max: 10, per_user: null, per_day: null },
  need_verify_account: false,
  sort: 0,
};
