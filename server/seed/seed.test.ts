import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { goodsEditable } from '@shop/backoffice/catalogue/goods.service';
import { mergeGoods } from '@shop/backoffice/cli/import';
import { Value } from 'typebox/value';
import { type StaffGoods, StaffGoodsSchema } from '../src/catalogue/goods.store';
import type { ArticleInput } from '../src/content/content.service';
import type { Sql } from '../src/platform/db/sql';
import type { MediaManifest, SeedBanner, SeedCategory, SeedCoupon, SeedGoods, SeedModule } from '../src/seed/seed';

const load = <T>(file: string): T => JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as T;
const categories = load<SeedCategory[]>('categories.json');
const goods = load<SeedGoods[]>('goods.json');
const banners = load<SeedBanner[]>('banners.json');
const modules = load<SeedModule[]>('modules.json');
const coupons = load<SeedCoupon[]>('coupons.json');
const articles = load<ArticleInput[]>('articles.json');
const config = load<Record<'logo' | 'customer_qrcode', string>>('config.json');
const hot = load<{ words: Record<'zh-CN' | 'en', string[]> }>('search-hot.json');
const media = load<MediaManifest>('media/manifest.json');

const goodsKeys = new Set(goods.map((item) => item.key));
const categoryKeys = new Set(categories.map((item) => item.key));

function expectLink(type: number, value: string): void {
  if (type === 1) expect(goodsKeys).toContain(value);
  if (type === 2 && value.startsWith('category=')) expect(categoryKeys).toContain(value.slice('category='.length));
  if (type === 3) expect(articles.map((article) => article.id)).toContain(value);
  if (type === 4) expect(value).toMatch(/^https:\/\//);
}

describe('seed data', () => {
  it('the seed has enough products, categories, articles and banners, and every kind and stock of them', () => {
    expect(goods.length).toBeGreaterThanOrEqual(90);
    expect(banners).toHaveLength(4);
    expect(modules.map((module) => module.template).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(articles.map((article) => article.id)).toEqual(['agreement', 'guide', 'privacy']);
    expect(new Set(goods.map((item) => item.recharge_type))).toEqual(new Set([1, 2, 3, 4]));
    expect(new Set(goods.map((item) => item.spec_type))).toEqual(new Set([1, 2]));
    expect(new Set(goods.map((item) => item.status))).toEqual(new Set([1, 2, 3]));
    expect(new Set(coupons.map((item) => item.coupon_type))).toEqual(new Set([10, 20]));
    expect(new Set(coupons.map((item) => item.expire_type))).toEqual(new Set([10, 20]));
    expect(new Set(coupons.map((item) => item.goods.length > 0))).toEqual(new Set([true, false]));
    expect(goods.some((item) => item.specs.length > 0 && item.specs.every((spec) => spec.stock === 0))).toBe(true);
    expect(goods.some((item) => item.specs.some(({ stock }) => stock && stock <= 10))).toBe(true);
  });

  it('the seed has unique keys', () => {
    for (const list of [categories, goods, banners, modules, coupons] as Array<Array<{ key: string }>>) {
      const keys = list.map((item) => item.key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const key of keys) expect(key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
    const codes = coupons.map((coupon) => coupon.redeem_code).filter(Boolean);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{4,20}$/);
  });

  it('the seed has every text in both languages', () => {
    const problems: string[] = [];
    JSON.parse(JSON.stringify({ categories, goods, banners, modules, coupons, articles, config }), (field, value) => {
      if (!('zh-CN' in Object(value)) && !('en' in Object(value))) return value;
      const isText = (text: unknown) => typeof text === 'string' && text.trim() !== '';
      if (!isText(value['zh-CN']) || !isText(value.en) || /\p{Script=Han}/u.test(value.en))
        problems.push(`${field}: ${JSON.stringify(value)}`);
      return value;
    });
    expect(problems).toEqual([]);
    expect(hot.words['zh-CN'].length).toBeGreaterThan(5);
    expect(hot.words.en.length).toBeGreaterThan(5);
  });

  it('every seed product says where and how to redeem it, with the same steps in both languages', () => {
    for (const { key, redeem, description_html } of goods) {
      const [zh, en] = [redeem['zh-CN'].split('\n'), redeem.en.split('\n')];
      expect([key, zh.length, en.length]).toEqual([key, 3, 3]);
      expect(Math.max(...zh.map((step) => step.length), ...en.map((step) => step.length / 2))).toBeLessThanOrEqual(60);
      // The steps must not be repeated in the description.
      expect(description_html['zh-CN'] + description_html.en).not.toMatch(/如何使用|How to redeem/);
    }
  });

  it.each(goods)('the console accepts the seed product $key, which has a price in each currency', async (product) => {
    const { fields, specs, custom, recharge_type } = product;
    const value = mergeGoods({ ...product, image: '' } as never, undefined) as StaffGoods;
    expect([...Value.Errors(StaffGoodsSchema, value)]).toEqual([]);
    const sql = { row: async () => ({}) } as unknown as Sql;
    expect(await goodsEditable.faults?.(sql, value, undefined)).toEqual({});
    expect(categoryKeys).toContain(product.category);
    for (const prices of custom ? [custom.unit_price] : specs.map((spec) => spec.prices))
      expect(Object.keys(prices)).toEqual(['CNY', 'USD']);
    expect(fields.length > 0).toBe(recharge_type !== 1);
    if (recharge_type === 1) for (const { stock } of specs) expect(stock).not.toBeNull();
    if (custom) expect((custom.max - custom.min) % custom.step).toBe(0);
    for (const [index, { type, remember, depends_on, options }] of fields.entries()) {
      if (type === 'password') expect(remember).toBe(false);
      const parent = fields.slice(0, index).find(({ key }) => key === depends_on);
      const choices = parent?.options?.map(({ value }) => value) ?? [];
      expect(choices).toEqual(expect.arrayContaining(options?.flatMap(({ when = [] }) => when) ?? []));
    }
  });

  it('no seed coupon names an amount if its reduction differs by currency', () => {
    const amountIn = /\d|[一二两三四五六七八九十百]/;
    const named = coupons.filter(
      ({ coupon_type, amounts, name }) =>
        coupon_type === 10 && amounts.CNY && amounts.USD && Object.values(name).some((text) => amountIn.test(text)),
    );
    expect(named.map(({ key }) => key)).toEqual([]);
  });

  it('the seed refers only to goods, categories, articles and pictures that exist', () => {
    const pictures = new Set(Object.keys(media));
    for (const { key, image } of goods) expect([image, pictures.has(image)]).toEqual([`goods/${key}`, true]);
    for (const category of categories) expect(pictures).toContain(category.icon);
    for (const banner of banners) {
      expect(pictures).toContain(banner.image);
      expectLink(banner.link_type, banner.link_value);
    }
    for (const module of modules)
      for (const item of module.items) {
        // The home page shows no goods that are off shelf or for members only.
        if (item.kind === 'goods') expect(goods.find(({ key }) => key === item.goods)?.status).toBe(1);
        else expect(item.title && item.image).toBeTruthy();
        if (item.image) expect(pictures).toContain(item.image);
        expectLink(item.link_type, item.link_value);
      }
    for (const key of coupons.flatMap((coupon) => coupon.goods)) expect(goodsKeys).toContain(key);
    for (const name of [config.logo, config.customer_qrcode]) expect(pictures).toContain(name);
  });

  it('seed pictures are small and named by a hash of their content', () => {
    const files = new Set(readdirSync(join(__dirname, 'media')));
    files.delete('manifest.json');
    let all = 0;
    for (const [name, { file, bytes }] of Object.entries(media)) {
      const content = readFileSync(join(__dirname, 'media', file));
      expect(content.length).toBe(bytes);
      expect(file).toContain(createHash('sha256').update(content).digest('hex').slice(0, 10));
      if (name.startsWith('goods/')) expect(bytes).toBeLessThanOrEqual(6656);
      if (name.startsWith('banners/')) expect(bytes).toBeLessThanOrEqual(25600);
      files.delete(file);
      all += bytes;
    }
    expect([...files]).toEqual([]);
    expect(all).toBeLessThan(700_000);
  });
});
