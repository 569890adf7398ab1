import fs from 'node:fs';
import path from 'node:path';
import { CouponExpireType, CouponStatus, SUCCESS_CODE } from '@shop/shared/domain';
import { createUser } from '../accounts/auth/auth.service';
import { hashPassword } from '../accounts/auth/passwords';
import { withPeriods } from '../accounts/retention/periods';
import { addCards, DEMO_CODE_PREFIX, type GoodsInput, saveCategory, saveGoods } from '../catalogue/goods.store';
import { type StaffBanner, type StaffModule, saveBanner, saveModule } from '../catalogue/storefront.store';
import { type ArticleInput, saveArticle, saveConfig } from '../content/content.service';
import type { AppContext } from '../context';
import { giveCoupon } from '../coupons/coupons.service';
import { type StaffCoupon, saveCoupon } from '../coupons/coupons.store';
import { cancelOrder } from '../orders/change-order.service';
import { createOrder } from '../orders/place-order.service';
import { previewOrder } from '../orders/quote.service';
import { payByBalance } from '../payments/payments.service';
import { handlePaymentNotice } from '../payments/provider-notices.service';
import { remotePayment } from '../payments/remote-payment';
import type { Keyring } from '../platform/crypto/keyring';
import { randomNumber, sha256 } from '../platform/crypto/tokens';
import type { Sql } from '../platform/db/sql';
import { messageOf } from '../platform/http/errors';
import type { View } from '../platform/http/request';
import type { Currency } from '../platform/http/schemas';
import { lazy } from '../providers/lazy';
import { SandboxPayments } from '../providers/sandbox';
import { serveSuppliers } from '../suppliers/suppliers.service';
import { createRecharge } from '../wallet/recharge/recharge.service';

export const seedFolder = path.join(__dirname, '../../seed');
const SEED_LOCK = 7_204_116;
const DAY_MS = 86_400_000;
/** Settings of the shop that name pictures. */
const pictureSettings = ['logo', 'customer_qrcode'];

export type MediaManifest = Record<string, { file: string; bytes: number }>;
export type SeedCategory = Parameters<typeof saveCategory>[1];
export type SeedGoods = Omit<GoodsInput, 'images'> & { key: string };
/** What the seed leaves out. */
const always = { shown: true, starts_at: null, ends_at: null };
const blankItem = { goods: null, category: null, title: null, tag: null };
export type SeedBanner = Omit<StaffBanner, keyof typeof always> & { key: string };
type Item = StaffModule['items'][number];
export interface SeedModule extends Omit<StaffModule, keyof typeof always | 'items'> {
  key: string;
  items: Array<Partial<Item> & Pick<Item, 'kind' | 'link_type' | 'link_value'>>;
}
const unlimited = { for_invitation: false, claim_from: null, claim_until: null };
export interface SeedCoupon extends Omit<StaffCoupon, keyof typeof unlimited | 'start_time' | 'end_time'> {
  key: string;
  starts_in_days?: number;
  ends_in_days?: number;
  received: number;
  status: number;
}

/**
 * Fills an empty database in one transaction: with the shop's articles and settings, and for a demo with goods, codes and
 * coupons. The demo account and its orders follow through the services.
 */
export async function seedOnce(context: AppContext): Promise<void> {
  const { config, db } = context;
  const filled = await db.withTransaction(async (sql) => {
    await sql.one(`select pg_advisory_xact_lock(${SEED_LOCK})`);
    const demo = config.demo && !(await sql.row('select 1 from live_shop'));
    if (await sql.row(`select 1 from ${demo ? 'goods' : 'app_config'} limit 1`)) return false;
    // Articles are saved first because banners link to them.
    await saveTexts(sql);
    if (demo) await saveDemo(sql, context.keyring);
    return demo;
  });
  if (!filled) return;
  // The demo account pays by the sandbox, so every currency must offer it.
  const { payments } = config.providers;
  if (config.sandbox && Object.values(payments).every((codes) => codes.includes('sandbox'))) await seedDemo(context);
  await db.script(db.kind === 'embedded' ? 'vacuum analyze' : 'analyze');
}

const read = <T>(name: string): T => JSON.parse(fs.readFileSync(path.join(seedFolder, `${name}.json`), 'utf8')) as T;

const media = lazy(() => read<MediaManifest>('media/manifest'));

function address(name: string): string {
  const file = media()[name]?.file;
  if (!file) throw new Error(`there is no picture "${name}" in media/manifest.json`);
  return `/media/${file}`;
}

async function saveDemo(sql: Sql, keyring: Keyring): Promise<void> {
  await saveCatalogue(sql, keyring);
  for (const { key, ...banner } of read<SeedBanner[]>('banners'))
    await saveBanner(sql, key, { ...banner, ...always, image: address(banner.image) });
  for (const { key, ...module } of read<SeedModule[]>('modules')) {
    const items = module.items.map(({ image = null, ...item }) => ({
      ...blankItem,
      ...item,
      image: image && address(image),
    }));
    await saveModule(sql, key, { ...module, ...always, items });
  }
  await saveCoupons(sql);
  await saveHotWords(sql);
}

async function saveCatalogue(sql: Sql, keyring: Keyring): Promise<void> {
  for (const category of read<SeedCategory[]>('categories'))
    await saveCategory(sql, { ...category, icon: address(category.icon) });
  for (const { key, ...goods } of read<SeedGoods[]>('goods')) {
    const specs = await saveGoods(sql, key, { ...goods, image: address(goods.image), images: [] });
    if (goods.recharge_type !== 1) continue;
    for (const spec of goods.specs) {
      const cards = Array.from({ length: spec.stock ?? 0 }, () => ({
        card_no: `${DEMO_CODE_PREFIX}${grouped(randomNumber(16))}`,
        card_pwd: randomNumber(8),
      }));
      if (cards.length) await addCards(sql, keyring, specs.get(spec.key) ?? 0, cards);
    }
  }
}

async function saveCoupons(sql: Sql): Promise<void> {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const day = (days?: number) => (days === undefined ? null : new Date(midnight + days * DAY_MS).toISOString());
  for (const { key, starts_in_days, ends_in_days, received, status, ...coupon } of read<SeedCoupon[]>('coupons')) {
    const times = { start_time: day(starts_in_days), end_time: day(ends_in_days) };
    const id = await saveCoupon(sql, key, { ...coupon, ...unlimited, ...times });
    await sql.run('update coupons set received = $2, status = $3 where id = $1', [id, received, status]);
  }
}

async function saveTexts(sql: Sql): Promise<void> {
  for (const { content, ...article } of read<ArticleInput[]>('articles')) {
    const html = { 'zh-CN': withPeriods(content['zh-CN'], 'zh-CN'), en: withPeriods(content.en, 'en') };
    await saveArticle(sql, { ...article, content: html });
  }
  for (const [key, value] of Object.entries(read<Record<string, unknown>>('config')))
    await saveConfig(sql, key, pictureSettings.includes(key) ? address(String(value)) : value);
}

async function saveHotWords(sql: Sql): Promise<void> {
  const { words } = read<{ words: Record<string, string[]> }>('search-hot');
  for (const [locale, list] of Object.entries(words))
    await sql.run(
      'insert into hot_words (locale, sort, word) select $1, place - 1, word from unnest($2::text[]) with ordinality w (word, place)',
      [locale, list],
    );
}

const grouped = (text: string) => text.replace(/(.{4})(?=.)/g, '$1-');

interface Choice {
  coupon?: 'best' | 'none';
  fields?: Record<string, string>;
}

export const DEMO_PHONE = '13800000000';
export const DEMO_PASSWORD = 'demo1234';

async function seedDemo(context: AppContext): Promise<void> {
  const { db, config } = context;
  const account = await createUser(db, {
    phone: DEMO_PHONE,
    passwordHash: await hashPassword(DEMO_PASSWORD),
    nickname: '星点玩家',
  });
  if (!account) return;
  const viewer = { id: account.id, isVip: false, tokenHash: Buffer.alloc(0) };
  const view = (currency: Currency): View => ({ currency, viewer, locale: currency === 'CNY' ? 'zh-CN' : 'en' });

  for (const [currency, amount] of [
    ['CNY', '500.00'],
    ['USD', '100.00'],
  ] as const) {
    const recharge = await db.withTransaction((sql) =>
      createRecharge(context, sql, viewer, { amount, method: 'sandbox' }, view(currency)),
    );
    await settle(context, recharge.payment_no);
  }

  const coupons = await db.rows<{ id: number }>(
    `(select id from coupons where status = ${CouponStatus.Enabled} and not offer and (total is null or received < total)
         and (expire_type = ${CouponExpireType.AfterReceipt} or end_time > now()) order by id limit 4)
     union all
     (select id from coupons where expire_type = ${CouponExpireType.FixedWindow} and end_time <= now()
         and (total is null or received < total) order by id limit 1)`,
  );
  for (const { id } of coupons) await db.withTransaction((sql) => giveCoupon(sql, viewer.id, id, config.timeZone));

  const keyed = (route: string) => ({
    user: viewer.id,
    route: `seed/${route}`,
    key: randomNumber(),
    bodyHash: sha256(route),
    requestId: 'seed',
    message: messageOf(SUCCESS_CODE, 'zh-CN'),
  });
  const order = async (goodsKey: string, specKey: string, currency: Currency, choice: Choice = {}) => {
    const { coupon = 'none', fields = {} } = choice;
    const goods = await db.one<{ goods_id: number; spec_id: number }>(
      `select g.id as goods_id, s.id as spec_id from goods g join goods_specs s on s.goods_id = g.id
        where g.key = $1 and s.key = $2`,
      [goodsKey, specKey],
    );
    const body = { ...goods, quantity: 1, coupon };
    const { price_version } = await previewOrder(db, viewer, body, view(currency));
    const filled = { ...body, price_version, fields };
    const { response } = await createOrder(context, viewer, filled, view(currency), keyed('order'), '127.0.0.1');
    return response.data.order_no;
  };
  const pay = (orderNo: string) => payByBalance(context, orderNo, keyed('pay'), null);

  await pay(await order('genshin-card', '60', 'CNY', { coupon: 'best' }));
  await pay(await order('genshin-card', '3280', 'USD'));
  await pay(await order('love-deepspace', '60', 'CNY', { fields: { server: 'cn', uid: '1002003001' } }));
  await serveSuppliers(context);
  const refunded = await order('fantasy-westward-pc', '30', 'CNY');
  await pay(refunded);
  await db.one("select order_refund(id, $2, 'seed') from orders where order_no = $1", [refunded, '重复购买']);
  await pay(await order('youtube-premium', '1-month', 'CNY', { fields: { email: 'demo@shop.example' } }));
  await cancelOrder(db, viewer, await order('ps-plus', 'essential-1', 'CNY'));
  await db.one('select goods_count_sales()');
}

async function settle(context: AppContext, paymentNo: string): Promise<void> {
  const provider = context.providers.payments.find((candidate) => candidate instanceof SandboxPayments);
  const payment = await remotePayment(context, paymentNo);
  if (!provider || !payment) return;
  const notice = provider.readNotice(JSON.stringify(provider.notice(payment, true)));
  if (notice) await handlePaymentNotice(context.db, provider.code, notice);
}
