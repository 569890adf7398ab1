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
/** Settings of the shop that name pictures. */
const pictureSettings = ['logo', 'customer_qrcode'];

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
    for (const goods of this.read<SeedGoods[]>('goods')) {
      const category = this.idOf(this.categories, goods.category);
      const { specs } = await saveGoods(this.sql, category, { ...goods, image: this.address(goods.image) });
      if (goods.recharge_type !== 1) continue;
      for (const spec of goods.specs) {
        const cards = Array.from({ length: spec.stock ?? 0 }, () => ({
          card_no: `${DEMO_CODE_PREFIX}${grouped(randomNumber(16))}`,
          card_pwd: randomNumber(8),
        }));
        if (cards.length) await addCards(this.sql, this.context.keyring, this.idOf(specs, spec.key), cards);
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
      const { name, discount, starts_in_days, ends_in_days, reduce_price, min_price, items, ...columns } = coupon;
      const row = {
        expire_day: 0,
        ...columns,
        name_zh: name['zh-CN'],
        name_en: name.en,
        discount_tenths: discount ? Math.round(Number(discount) * 10) : null,
        start_time: day(starts_in_days),
        end_time: day(ends_in_days),
      };
      const names = Object.keys(row).join(', ');
      const id = await this.sql.value<number>(
        `insert into coupons (${names}) select ${names} from jsonb_populate_record(null::coupons, $1) returning id`,
        [JSON.stringify(row)],
      );
      for (const currency of Object.keys(min_price) as Currency[]) {
        const amounts = [reduce_price, min_price].map((amount) => fromWire(amount?.[currency] ?? '0'));
        await this.sql.run(
          'insert into coupon_amounts (coupon_id, currency, reduce_price, min_price) values ($1, $2, $3, $4)',
          [id, currency, ...amounts],
        );
      }
      await this.sql.run(
        'insert into coupon_goods (coupon_id, goods_id) select $1, id from goods where key = any ($2)',
        [id, items],
      );
    }
  }

  async saveTexts(): Promise<void> {
    for (const { id, title, content_html, updated_at, sort } of this.read<SeedArticle[]>('articles')) {
      const content = { 'zh-CN': withPeriods(content_html['zh-CN'], 'zh-CN'), en: withPeriods(content_html.en, 'en') };
      await saveArticle(this.sql, { id, title, content, sort, updatedAt: updated_at });
    }
    for (const [key, value] of Object.entries(this.read<Record<string, unknown>>('config')))
      await saveConfig(this.sql, key, pictureSettings.includes(key) ? this.address(String(value)) : value);
  }

  private async saveHotWords() {
    const { words } = this.read<{ words: Record<string, string[]> }>('search-hot');
    for (const [locale, list] of Object.entries(words))
      await this.sql.run(
        'insert into hot_words (locale, sort, word) select $1, place - 1, word from unnest($2::text[]) with ordinality w (word, place)',
        [locale, list],
      );
  }
}

const grouped = (text: string) => text.replace(/(.{4})(?=.)/g, '$1-');
