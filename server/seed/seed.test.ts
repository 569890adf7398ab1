import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserPattern, patternFault } from '../src/catalogue/field-pattern';
import type { BannerInput, ModuleInput } from '../src/catalogue/storefront.store';
import type { MediaManifest, SeedArticle, SeedCategory, SeedCoupon, SeedGoods } from '../src/seed/seed';

const load = <T>(file: string): T => JSON.parse(readFileSync(join(__dirname, file), 'utf8')) as T;
const categories = load<SeedCategory[]>('categories.json');
const goods = load<SeedGoods[]>('goods.json');
const banners = load<BannerInput[]>('banners.json');
const modules = load<ModuleInput[]>('modules.json');
const coupons = load<SeedCoupon[]>('coupons.json');
const articles = load<SeedArticle[]>('articles.json');
const config = load<Record<'logo' | 'customer_qrcode' | 'error_image', string> & { avatars: string[] }>('config.json');
const hot = load<{ words: Record<'zh-CN' | 'en', string[]> }>('search-hot.json');
const media = load<MediaManifest>('media/manifest.json');

const goodsKeys = new Set(goods.map((item) => item.key));
const categoryKeys = new Set(categories.map((item) => item.key));
const amount = /^(0|[1-9]\d*)\.\d\d$/;
const cents = (value = '') => Number(value.replace('.', ''));

/** Visits every object that holds a text in both languages or amounts by currency, with its path. */
function visit(value: unknown, path: string, see: (object: Record<string, unknown>, path: string) => void): void {
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) visit(item, `${path}[${item?.key ?? i}]`, see);
  } else if (value && typeof value === 'object') {
    see(value as Record<string, unknown>, path);
    for (const [key, item] of Object.entries(value)) visit(item, `${path}.${key}`, see);
  }
}

function expectLink(type: number, value: string): void {
  if (type === 1) expect(goodsKeys).toContain(value);
  if (type === 2 && value.startsWith('category=')) expect(categoryKeys).toContain(value.slice('category='.length));
  if (type === 3) expect(articles.map((article) => article.id)).toContain(value);
  if (type === 4) expect(value).toMatch(/^https:\/\//);
}

describe('seed data', () => {
  it('the seed has enough products, categories, articles and banners', () => {
    expect(goods.length).toBeGreaterThanOrEqual(90);
    expect(banners).toHaveLength(4);
    expect(modules.map((module) => module.template).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(articles.map((article) => article.id)).toEqual(['agreement', 'guide', 'privacy']);
    expect(new Set(goods.map((item) => item.recharge_type))).toEqual(new Set([1, 2, 3, 4]));
    expect(new Set(goods.map((item) => item.spec_type))).toEqual(new Set([1, 2]));
    expect(new Set(goods.map((item) => item.status))).toEqual(new Set([1, 2, 3]));
    expect(new Set(coupons.map((item) => item.coupon_type))).toEqual(new Set([10, 20]));
    expect(new Set(coupons.map((item) => item.expire_type))).toEqual(new Set([10, 20]));
    expect(new Set(coupons.map((item) => item.apply_range))).toEqual(new Set([10, 20]));
  });

  it('the seed has unique keys', () => {
    for (const list of [categories, goods, banners, modules, coupons] as Array<Array<{ key: string }>>) {
      const keys = list.map((item) => item.key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const key of keys) expect(key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
    for (const item of goods) expect(new Set(item.specs.map((spec) => spec.key)).size).toBe(item.specs.length);
    const codes = coupons.map((coupon) => coupon.redeem_code).filter((code) => code !== null);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[A-Z0-9]{4,20}$/);
  });

  it('the seed has every text in both languages', () => {
    const problems: string[] = [];
    visit({ categories, goods, banners, modules, coupons, articles, config }, '', (object, path) => {
      if (!('zh-CN' in object) && !('en' in object)) return;
      for (const language of ['zh-CN', 'en'])
        if (typeof object[language] !== 'string' || !object[language].trim()) problems.push(`${path}.${language}`);
      if (/\p{Script=Han}/u.test(String(object.en))) problems.push(`${path}.en is Chinese`);
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

  it('the seed prices every specification in both currencies with two decimals, never above its original price', () => {
    for (const item of goods) {
      const prices = item.custom ? [item.custom.unit_price] : item.specs.map((spec) => spec.prices);
      expect(prices.length).toBeGreaterThan(0);
      for (const price of prices) {
        expect(Object.keys(price)).toEqual(['CNY', 'USD']);
        for (const value of Object.values(price)) {
          expect(value).toMatch(amount);
          expect(cents(value)).toBeGreaterThan(0);
        }
      }
      for (const spec of item.specs)
        for (const currency of ['CNY', 'USD'] as const)
          if (spec.original_prices) {
            expect(spec.original_prices[currency]).toMatch(amount);
            expect(cents(spec.original_prices[currency])).toBeGreaterThanOrEqual(cents(spec.prices[currency]));
          }
    }
    for (const coupon of coupons)
      for (const value of [...Object.values(coupon.min_price), ...Object.values(coupon.reduce_price ?? {})])
        expect(value).toMatch(amount);
  });

  it('each seed product is consistent with its kind', () => {
    for (const item of goods) {
      expect(categoryKeys).toContain(item.category);
      expect(item.initial).toMatch(/^[A-Z#]$/);
      expect(
        item.spec_type === 1 ? item.specs.length > 0 && !item.custom : item.specs.length === 0 && !!item.custom,
      ).toBe(true);
      if (item.recharge_type === 1) {
        expect(item.fields).toEqual([]);
        for (const spec of item.specs) expect(spec.stock).not.toBeNull();
      } else {
        expect(item.fields.length).toBeGreaterThan(0);
      }
      if (item.custom) expect((item.custom.max - item.custom.min) % item.custom.step).toBe(0);
    }
    expect(goods.some((item) => item.specs.length > 0 && item.specs.every((spec) => spec.stock === 0))).toBe(true);
    expect(goods.some((item) => item.specs.some(({ stock }) => stock && stock <= 10))).toBe(true);
  });

  it('seed fields have valid, anchored patterns and come after the fields they depend on', () => {
    for (const item of goods)
      for (const [i, field] of item.fields.entries()) {
        if (field.pattern) {
          expect(field.pattern).toMatch(/^\^.*\$$/);
          expect(patternFault(field.pattern)).toBeUndefined();
          expect(browserPattern(field)).toHaveProperty('pattern');
        }
        if (field.type === 'select') expect(field.options?.length).toBeGreaterThan(1);
        if (field.type === 'password') expect(field.remember).toBe(false);
        if (field.depends_on) {
          const parent = item.fields.slice(0, i).find((candidate) => candidate.key === field.depends_on);
          const values = parent?.options?.map((option) => option.value);
          for (const option of field.options ?? [])
            for (const value of option.when ?? []) expect(values).toContain(value);
        }
      }
  });

  it('no seed coupon names an amount if its reduction differs by currency', () => {
    const amountIn = /\d|[一二两三四五六七八九十百]/;
    const named = coupons.filter(
      ({ reduce_price, name }) =>
        Object.keys(reduce_price ?? {}).length > 1 && Object.values(name).some((text) => amountIn.test(text)),
    );
    expect(named.map(({ key }) => key)).toEqual([]);
  });

  it('the seed refers only to goods, categories, articles and pictures that exist', () => {
    const pictures = new Set(Object.keys(media));
    for (const item of goods) expect(pictures).toContain(item.image);
    for (const category of categories) expect(pictures).toContain(category.icon);
    for (const banner of banners) {
      expect(pictures).toContain(banner.image);
      expectLink(banner.link_type, banner.link_value);
    }
    for (const module of modules)
      for (const item of module.items) {
        if (item.kind === 'goods') expect(goodsKeys).toContain(item.goods);
        else expect(item.title && item.image).toBeTruthy();
        if (item.image) expect(pictures).toContain(item.image);
        expectLink(item.link_type, item.link_value);
      }
    for (const coupon of coupons) {
      expect(coupon.items.length > 0).toBe(coupon.apply_range === 20);
      for (const key of coupon.items) expect(goodsKeys).toContain(key);
    }
    for (const name of [config.logo, config.customer_qrcode, config.error_image, ...config.avatars])
      expect(pictures).toContain(name);
  });

  it('the seed home page never shows goods that are off shelf or for members only', () => {
    const shown = modules.flatMap((module) => module.items.map((item) => item.goods)).filter(Boolean);
    for (const key of shown) expect(goods.find((item) => item.key === key)?.status).toBe(1);
  });

  it('seed pictures are small, smaller still as AVIF, and named by a hash of their content', () => {
    const files = new Set(readdirSync(join(__dirname, 'media')));
    files.delete('manifest.json');
    let total = 0;
    for (const [name, { file, bytes }] of Object.entries(media)) {
      const content = readFileSync(join(__dirname, 'media', file));
      expect(content.length).toBe(bytes);
      const hash = createHash('sha256').update(content);
      const beside = file.replace('.webp', '.avif');
      if (files.delete(beside) && beside !== file) {
        const avif = readFileSync(join(__dirname, 'media', beside));
        expect(avif.length).toBeLessThan(bytes);
        hash.update(avif);
      }
      expect(file).toContain(hash.digest('hex').slice(0, 10));
      if (name.startsWith('goods/')) expect(bytes).toBeLessThanOrEqual(6656);
      if (name.startsWith('banners/')) expect(bytes).toBeLessThanOrEqual(25600);
      files.delete(file);
      total += bytes;
    }
    expect([...files]).toEqual([]);
    expect(total).toBeLessThan(1_200_000);
  });
});
