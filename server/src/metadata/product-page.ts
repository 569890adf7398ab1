import type { PageMetadata, ProductMetadata } from '@platform/pages';
import { LANGUAGES } from '@platform/pages';
import { currencyOf, ErrorCode, GoodsStatus, StockState } from '@shop/shared/domain';
import type { GoodsInfo } from '../catalogue/catalogue.schemas';
import { goodsInfo } from '../catalogue/goods-detail.service';
import { categories } from '../catalogue/storefront.service';
import type { PageDescription } from '../document/describe-page';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import { formatAmount, fromWire, toWire } from '../platform/http/money';
import type { Locale } from '../platform/http/schemas';
import type { CacheableResponse } from '../platform/response-cache/response-cache';
import { plainDescription, shorten } from './plain-description';
import { texts } from './texts';

/** What a product's document says, by language; a language in which it is not sold is missing. */
export type ProductPage =
  | { state: 'offered'; byLanguage: Partial<Record<Locale, ProductText>> }
  | { state: 'removed' | 'unknown' };

type ProductText = Pick<PageMetadata, 'title' | 'description' | 'picture' | 'product' | 'breadcrumbs'>;

/** As guests see the product. Whether products for chosen customers exist is not said. */
export async function productPage(sql: Sql, goodsId: number): Promise<CacheableResponse<ProductPage>> {
  const known = await sql.row<{ status: number }>('select status from goods where id = $1', [goodsId]);
  if (known?.status === GoodsStatus.OffShelf) return { data: { state: 'removed' } };
  if (known?.status !== GoodsStatus.OnShelf) return { data: { state: 'unknown' } };
  const offers = await Promise.all(
    LANGUAGES.map(async (language) => {
      const view = { locale: language, currency: currencyOf(language), viewer: undefined };
      const response = await goodsInfo(sql, goodsId, view).catch(whereNotSold);
      const names = response && (await categories(sql, language));
      const category = names?.find(({ id }) => id === response?.data.category_id);
      return { language, response, text: response && textOf(response.data, language, category) };
    }),
  );
  return {
    data: {
      state: 'offered',
      byLanguage: Object.fromEntries(offers.flatMap(({ language, text }) => (text ? [[language, text]] : []))),
    },
    goodsIds: [goodsId],
    isStillValid: (change) => offers.every(({ response }) => response?.isStillValid?.(change) !== false),
  };
}

function whereNotSold(error: unknown): undefined {
  const isMissing = error instanceof ShopError && notSoldCodes.includes(error.code);
  if (!isMissing) throw error;
}
const notSoldCodes: number[] = [ErrorCode.CurrencyNotOffered, ErrorCode.GoodsUnavailable];

function textOf(goods: GoodsInfo, language: Locale, category: { id: number; name: string } | undefined): ProductText {
  const product = productMetadata(goods, category?.name);
  const { from, price, allGames } = texts[language];
  const lowest = formatAmount(fromWire(product.lowPrice) ?? 0, product.currency);
  const offer = (product.lowPrice === product.highPrice ? price : from)(goods.name, lowest);
  return {
    title: goods.name,
    description: shorten(`${offer}${plainDescription(goods.description_html)}`.trim()),
    picture: { url: goods.image },
    product,
    breadcrumbs: [
      { name: allGames, path: '/goods' },
      ...(category ? [{ name: category.name, path: `/goods?category_id=${category.id}` }] : []),
      { name: goods.name, path: `/goods/${goods.id}` },
    ],
  };
}

function productMetadata({ id, specs, custom, images, currency }: GoodsInfo, category?: string): ProductMetadata {
  const minor = (amount: string) => fromWire(amount) ?? 0;
  const prices = custom
    ? [minor(custom.unit_price) * custom.min, minor(custom.unit_price) * custom.max]
    : specs.map(({ price }) => minor(price));
  const inStock = specs.some(({ stock_state: state }) => state === StockState.In);
  const low = specs.some(({ stock_state: state }) => state === StockState.Low);
  return {
    lowPrice: toWire(Math.min(...prices)),
    highPrice: toWire(Math.max(...prices)),
    offers: prices.length,
    currency,
    availability: custom || inStock ? 'InStock' : low ? 'LimitedAvailability' : 'OutOfStock',
    sku: String(id),
    ...(category && { category }),
    pictures: images,
  };
}

/** The document of a product in a language. */
export function describeProduct(page: ProductPage, goodsId: number, language: Locale): PageDescription {
  if (page.state !== 'offered') {
    const metadata = { title: texts[language].gone, noindex: true, path: null };
    return { status: page.state === 'removed' ? 410 : 404, metadata };
  }
  const text = page.byLanguage[language];
  // Sold in the currency of another language only.
  if (!text) return { metadata: { title: texts[language].gone, noindex: true } };
  const languages = LANGUAGES.filter((one) => page.byLanguage[one]);
  return { metadata: { ...text, path: `/goods/${goodsId}`, languages, kind: 'product' } };
}
