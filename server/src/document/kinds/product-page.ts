import { LANGUAGES, type PageDescription, type ProductMetadata } from '@platform/pages';
import type { ListedPage } from '@platform/pages/serving';
import { currencyOf, GoodsStatus, StockState, SUCCESS_CODE } from '@shop/shared/domain';
import type { Category, GoodsInfo } from '../../catalogue/catalogue.schemas';
import type { Sql } from '../../platform/db/sql';
import { formatAmount, fromWire, toWire } from '../../platform/http/money';
import type { Currency, Locale } from '../../platform/http/schemas';
import type { CacheableResponse } from '../../platform/response-cache/response-cache';
import type { AskPublicApi, PageKind } from '../page-describer';
import { ofCategory, WHOLE_LIST } from './list-page';
import { plainDescription, shorten } from './plain-description';
import { texts } from './texts';

const PRODUCT = 'product';

export const productKind = (sql: Sql): PageKind => ({
  describe({ parameters, language }, read) {
    const id = Number(parameters.id);
    if (!Number.isSafeInteger(id) || id < 1) return missing(language, 404);
    return read([PRODUCT, id, language], (answer) => describeProduct(sql, id, language, answer));
  },
  // Without the database it is unknown whether the product exists, so clients must retry (503).
  withoutData: { status: 503 },
  pages: () => productPages(sql),
});

const gone = (language: Locale): PageDescription => ({ title: texts[language].gone, noindex: true });
const missing = (language: Locale, status: 404 | 410): PageDescription => ({ ...gone(language), status, page: null });

/** Describes the product as guests see it. It does not reveal whether products for selected customers exist. */
async function describeProduct(
  sql: Sql,
  goodsId: number,
  language: Locale,
  answer: AskPublicApi,
): Promise<CacheableResponse<PageDescription>> {
  const row = await sql.row<{ status: number }>('select status from goods where id = $1', [goodsId]);
  if (row?.status !== GoodsStatus.OnShelf)
    return { data: missing(language, row?.status === GoodsStatus.OffShelf ? 410 : 404) };
  const offers = await Promise.all(
    LANGUAGES.map(async (offered) => {
      const { code, data } = await answer(`/api/front/goods/info?id=${goodsId}`, offered);
      return { language: offered, goods: code === SUCCESS_CODE ? (data as GoodsInfo) : undefined };
    }),
  );
  const sold = offers.flatMap(({ language: offered, goods }) => (goods ? [{ language: offered, goods }] : []));
  const product = sold.find((offer) => offer.language === language)?.goods;
  const categories = (await answer('/api/front/goods/category', language)).data as Category[];
  return {
    data: product
      ? described(product, language, categories, sold)
      : // Sold in the currency of another language only.
        gone(language),
    goodsIds: [goodsId],
    isStillValid: ({ marks }) =>
      sold.every(({ goods }) => goods.specs.every(({ id, stock_state: state }) => marks[id] === state)),
  };
}

function described(
  goods: GoodsInfo,
  language: Locale,
  categories: readonly Category[],
  sold: ReadonlyArray<{ language: Locale }>,
): PageDescription {
  const category = categories.find(({ id }) => id === goods.category_id);
  const product = productMetadata(goods, category?.name);
  const { from, price, allGames } = texts[language];
  const lowest = formatAmount(fromWire(product.lowPrice) ?? 0, product.currency);
  const offer = (product.lowPrice === product.highPrice ? price : from)(goods.name, lowest);
  const page = { kind: PRODUCT, parameters: { id: String(goods.id) } };
  return {
    title: goods.name,
    description: shorten(`${offer}${plainDescription(goods.description_html)}`.trim()),
    picture: goods.image,
    product,
    page,
    languages: sold.map((offer) => offer.language),
    type: 'product',
    breadcrumbs: [
      { name: allGames, page: WHOLE_LIST },
      ...(category ? [{ name: category.name, page: { ...WHOLE_LIST, query: ofCategory(category.id) } }] : []),
      { name: goods.name, page },
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

async function productPages(sql: Sql): Promise<ListedPage[]> {
  const rows = await sql.rows<{ id: number; updated_at: Date; currencies: Currency[] }>(
    `select g.id, g.updated_at, array_agg(f.currency::text) as currencies
       from goods g join shelf f on f.goods_id = g.id where g.status = 1 group by g.id order by g.id`,
  );
  return rows.map(({ id, updated_at, currencies }) => ({
    parameters: { id: String(id) },
    languages: LANGUAGES.filter((language) => currencies.includes(currencyOf(language))),
    modifiedAt: updated_at,
  }));
}
