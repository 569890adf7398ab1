import fs from 'node:fs';
import path from 'node:path';
import { withPeriods } from '../accounts/retention/periods';
import { addCards, DEMO_CODE_PREFIX, type GoodsInput, saveCategory, saveGoods } from '../catalogue/goods.store';
import {
  type StaffBanner,
  type StaffModule,
  type StaffModuleItem,
  saveBanner,
  saveModule,
} from '../catalogue/storefront.store';
import { type ArticleInput, saveArticle, saveConfig } from '../content/content.service';
import type { AppContext } from '../context';
import { type StaffCoupon, saveCoupon } from '../coupons/coupons.store';
import type { Keyring } from '../platform/crypto/keyring';
import { randomNumber } from '../platform/crypto/tokens';
import type { Sql } from '../platform/db/sql';
import type { Linked } from '../platform/http/links';
import { lazy } from '../providers/lazy';
import { seedDemo } from './demo';

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
export interface SeedModule extends Omit<StaffModule, keyof typeof always | 'items'> {
  key: string;
  items: Array<Partial<StaffModuleItem> & Pick<StaffModuleItem, 'kind' | keyof Linked>>;
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
