import { randomUUID } from 'node:crypto';
import { createUser } from '../src/accounts/auth/auth.service';
import { hashPassword } from '../src/accounts/auth/passwords';
import { openSession } from '../src/accounts/sessions/sessions.service';
import { addCards, type GoodsInput, saveCategory, saveGoods } from '../src/catalogue/goods.store';
import type { AppContext } from '../src/context';
import { postToWallet } from '../src/wallet/wallet.service';

export const PASSWORD = 'right-password';
/** Minor units in every wallet at the start: enough for many orders, not for all. */
export const START_BALANCE = 20_000;

export interface SoakPerson {
  index: number;
  id: number;
  token: string;
}
export interface SoakGoods {
  card: { id: number; spec: number };
  topUp: { id: number };
  coupons: number[];
}

/** A shop of one card, one top-up and a few coupons, with people who have money. */
export async function fillShop(
  context: AppContext,
  people: number,
  stock: number,
): Promise<{ goods: SoakGoods; persons: SoakPerson[] }> {
  const { db } = context;
  const texts = { 'zh-CN': '游戏', en: 'Game' };
  const category = await saveCategory(db, { key: 'games', name: texts, icon: '', sort: 0 });
  const plain: GoodsInput = {
    key: '',
    name: texts,
    aliases: [],
    initial: 'Y',
    recharge_type: 1,
    stock_type: 'stock',
    status: 1,
    spec_type: 1,
    tags: [],
    image: '',
    description_html: texts,
    notice: texts,
    specs: [],
    custom: null,
    fields: [],
    limits: { min: 1, max: 10, per_user: null, per_day: null },
    need_verify_account: false,
    sort: 0,
  };
  const spec = { key: 'a', name: texts, face_value: '10', prices: { CNY: '10.00' }, max_qty: 10, stock: null };
  const card = await saveGoods(db, category, { ...plain, key: 'card', specs: [spec] });
  const topUp = await saveGoods(db, category, {
    ...plain,
    key: 'top-up',
    recharge_type: 2,
    stock_type: '91',
    spec_type: 2,
    custom: { min: 10, max: 1000, step: 10, unit_price: { CNY: '0.10' }, unit: texts },
    fields: [{ key: 'uid', label: texts, type: 'text', required: true, max_len: 20, remember: true }],
  });
  const goods: SoakGoods = { card: { id: card.id, spec: card.specs.get('a') as number }, topUp, coupons: [] };
  await addStock(context, goods, stock, 0);
  for (let index = 0; index < 8; index++) {
    const { id } = await db.one<{ id: number }>(
      `insert into coupons (key, name_zh, name_en, coupon_type, discount_tenths, expire_type, expire_day, apply_range)
       values ($1, '券', 'Coupon', $2, $3, 10, 7, 10) returning id`,
      [`soak-${index}`, index % 2 ? 10 : 20, index % 2 ? null : 80 + index],
    );
    await db.run('insert into coupon_amounts values ($1, $2, $3, $4)', [id, 'CNY', index % 2 ? 150 : 0, 500]);
    goods.coupons.push(id);
  }
  const passwordHash = await hashPassword(PASSWORD);
  const persons: SoakPerson[] = [];
  for (let index = 0; index < people; index++) {
    const account = await createUser(db, { phone: `139${String(10_000_000 + index)}`, passwordHash });
    if (!account) throw new Error('the phone is taken');
    await postToWallet(db, {
      userId: account.id,
      currency: 'CNY',
      type: 1,
      available: START_BALANCE,
      counter: 'adjustment',
      actor: 'soak',
    });
    const { access_token } = await openSession(
      db,
      account,
      { address: '127.0.0.1', userAgent: '', device: null },
      'code',
    );
    persons.push({ index, id: account.id, token: access_token });
  }
  return { goods, persons };
}

export async function addStock(context: AppContext, goods: SoakGoods, count: number, first: number): Promise<void> {
  const cards = Array.from({ length: count }, (_one, index) => ({
    card_no: `N${first + index}-${randomUUID()}`,
    card_pwd: 'P',
  }));
  await addCards(context.db, context.keyring, context.config.secret, goods.card.spec, cards);
}
