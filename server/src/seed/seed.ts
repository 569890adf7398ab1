import fs from 'node:fs';
import path from 'node:path';
import { withPeriods } from '../accounts/retention/periods';
import { addCards, DEMO_CODE_PREFIX, type GoodsInput, saveCategory, saveGoods } from '../catalogue/goods.store';
import { type BannerInput, type ModuleInput, saveBanner, saveModule } from '../catalogue/storefront.store';
import { saveArticle, saveConfig } from '../content/content.service';
import type { AppContext } from '../context';
import { randomNumber } from '../platform/crypto/tokens';
import type { Sql } from '../platform/db/sql';
import type { Texts } from '../platform/http/localised-text';
import { fromWire } from '../platform/http/money';
import type { Currency } from '../platform/http/schemas';
import { seedDemo } from './demo';

export const seedFolder = path.join(__dirname, '../../seed');
const SEED_LOCK = 7_204_116;
const DAY_MS = 86_400_000;

export type MediaManifest = Record<string, { file: string; bytes: number }>;
export interface SeedCategory {
  key: string;
  name: Texts;
  icon: string;
  sort: number;
}
export type SeedGoods = GoodsInput & { category: string; redeem: Texts };
export interface SeedArticle {
  id: string;
  title: Texts;
  content_html: Texts;
  updated_at: string;
  sort: number;
}
type Amounts = Partial<Record<Currency, string>>;
export interface SeedCoupon {
  key: string;
  name: Texts;
  coupon_type: number;
  reduce_price?: Amounts;
  discount?: string;
  min_price: Amounts;
  expire_type: number;
  expire_day?: number;
  starts_in_days?: number;
  ends_in_days?: number;
  apply_range: number;
  items: string[];
  total: number | null;
  received: number;
  status: number;
  offer: boolean;
  redeem_code: string | null;
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
    if (!fs.existsSync(path.join(seedFolder, 'goods.json'))) return false;
    const seeder = new Seeder(sql, context);
    // Articles are saved first because banners link to them.
    await seeder.saveTexts();
    if (demo) await seeder.saveDemo();
    return demo;
  });
  if (!filled) return;
  // The demo account pays by the sandbox, so every currency must offer it.
  const { payments } = config.providers;
  if (config.sandbox && Object.values(payments).every((codes) => codes.includes('sandbox'))) await seedDemo(context);
  await db.script(db.kind === 'embedded' ? 'vacuum analyze' : 'analyze');
}

class Seeder {
  private readonly goods = new Map<string, number>();
  private readonly categories = new Map<string, number>();
  private readonly media: MediaManifest;

  constructor(
    private readonly sql: Sql,
    private readonly context: AppContext,
  ) {
    this.media = this.read('media/manifest');
  }

  async saveDemo(): Promise<void> {
    await this.saveCategories();
    await this.saveGoods();
    await this.saveBanners();
    await this.saveModules();
    await this.saveCoupons();
    await this.saveHotWords();
  }

  private read<T>(name: string): T {
    return JSON.parse(fs.readFileSync(path.join(seedFolder, `${name}.json`), 'utf8')) as T;
  }

  private address(name: string): string {
    const file = this.media[name]?.file;
    if (!file) throw new Error(`there is no picture "${name}" in media/manifest.json`);
    return `/media/${file}`;
  }

  private idOf(ids: Map<string, number>, key: string): number {
    const id = ids.get(key);
    if (!id) throw new Error(`the seed refers to "${key}", which does not exist`);
    return id;
  }

  private async saveCategories() {
    for (const category of this.read<SeedCategory[]>('categories')) {
      this.categories.set(
        category.key,
        await saveCategory(this.sql, { ...category, icon: this.address(category.icon) }),
      );
    }
  }

  private async saveGoods() {
    const { config, keyring } = this.context;
    for (const goods of this.read<SeedGoods[]>('goods')) {
      const category = this.idOf(this.categories, goods.category);
      const { id, specs } = await saveGoods(this.sql, category, { ...goods, image: this.address(goods.image) });
      this.goods.set(goods.key, id);
      if (goods.recharge_type !== 1) continue;
      for (const spec of goods.specs) {
        const cards = Array.from({ length: spec.stock ?? 0 }, () => ({
          card_no: `${DEMO_CODE_PREFIX}${grouped(randomNumber(16))}`,
          card_pwd: randomNumber(8),
        }));
        if (cards.length) await addCards(this.sql, keyring, config.secret, this.idOf(specs, spec.key), cards);
      }
    }
  }

  private async saveBanners() {
    for (const banner of this.read<BannerInput[]>('banners'))
      await saveBanner(this.sql, { ...banner, image: this.address(banner.image) });
  }

  private async saveModules() {
    for (const module of this.read<ModuleInput[]>('modules')) {
      const items = module.items.map((item) => ({ ...item, image: item.image && this.address(item.image) }));
      await saveModule(this.sql, { ...module, items });
    }
  }

  private async saveCoupons() {
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const day = (days: number | undefined) => (days === undefined ? null : new Date(midnight + days * DAY_MS));
    for (const coupon of this.read<SeedCoupon[]>('coupons')) {
      const { id } = await this.sql.one<{ id: number }>(
        `insert into coupons (key, name_zh, name_en, coupon_type, discount_tenths, expire_type, expire_day, start_time,
           end_time, apply_range, status, total, received, offer, redeem_code)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning id`,
        [
          coupon.key,
          coupon.name['zh-CN'],
          coupon.name.en,
          coupon.coupon_type,
          coupon.discount ? Math.round(Number(coupon.discount) * 10) : null,
          coupon.expire_type,
          coupon.expire_day ?? 0,
          day(coupon.starts_in_days),
          day(coupon.ends_in_days),
          coupon.apply_range,
          coupon.status,
          coupon.total,
          coupon.received,
          coupon.offer,
          coupon.redeem_code,
        ],
      );
      for (const currency of Object.keys(coupon.min_price) as Currency[]) {
        await this.sql.run(
          'insert into coupon_amounts (coupon_id, currency, reduce_price, min_price) values ($1, $2, $3, $4)',
          [
            id,
            currency,
            fromWire(coupon.reduce_price?.[currency] ?? '0') ?? 0,
            fromWire(coupon.min_price[currency] ?? '0') ?? 0,
          ],
        );
      }
      for (const key of coupon.items) {
        await this.sql.run('insert into coupon_goods (coupon_id, goods_id) values ($1, $2)', [
          id,
          this.idOf(this.goods, key),
        ]);
      }
    }
  }

  async saveTexts(): Promise<void> {
    for (const { id, title, content_html, updated_at, sort } of this.read<SeedArticle[]>('articles')) {
      const content = { 'zh-CN': withPeriods(content_html['zh-CN'], 'zh-CN'), en: withPeriods(content_html.en, 'en') };
      await saveArticle(this.sql, { id, title, content, sort, updatedAt: updated_at });
    }
    const config = this.read<Record<string, unknown>>('config');
    const pictures = ['logo', 'customer_qrcode', 'error_image'];
    for (const [key, value] of Object.entries(config)) {
      if (pictures.includes(key)) await saveConfig(this.sql, key, this.address(String(value)));
      else if (key === 'avatars')
        await saveConfig(
          this.sql,
          key,
          (value as string[]).map((name) => this.address(name)),
        );
      else await saveConfig(this.sql, key, value);
    }
  }

  private async saveHotWords() {
    const { words } = this.read<{ words: Record<string, string[]> }>('search-hot');
    for (const [locale, list] of Object.entries(words)) {
      for (const [sort, word] of list.entries()) {
        await this.sql.run('insert into hot_words (locale, sort, word) values ($1, $2, $3)', [locale, sort, word]);
      }
    }
  }
}

const grouped = (text: string) => text.replace(/(.{4})(?=.)/g, '$1-');
