import type { Prices } from '@shop/server/catalogue/goods.store';
import type { Texts } from '@shop/server/platform/http/localised-text';
import type { Currency } from '@shop/server/platform/http/schemas';
import { GoodsStatus } from '@shop/shared/domain';
import type { StaffGoods } from './goods.schemas';

export const priceCells = ['price.CNY', 'original.CNY', 'price.USD', 'original.USD', 'status'] as const;
export type PriceCell = (typeof priceCells)[number];
/** Amounts in major units, or the number of a status; null: not sold in that currency, or no discount. */
export type PriceCells = Record<PriceCell, string | null>;

export interface PriceRow {
  goods: string;
  spec: string;
  name: Texts;
  spec_name: Texts;
  cells: PriceCells;
}

export const priceRowsOf = (goods: string, { name, status, specs }: StaffGoods): PriceRow[] =>
  specs.map(({ key, name: spec_name, prices, original_prices }) => {
    const original = (currency: Currency) =>
      original_prices[currency] === prices[currency] ? null : (original_prices[currency] ?? null);
    const cells = {
      'price.CNY': prices.CNY ?? null,
      'original.CNY': original('CNY'),
      'price.USD': prices.USD ?? null,
      'original.USD': original('USD'),
      status: String(status),
    };
    return { goods, spec: key, name, spec_name, cells };
  });

type Names = readonly [zh: string, en: string];
export const statuses: ReadonlyArray<readonly [status: number, names: Names, pattern: RegExp]> = [
  [GoodsStatus.OnShelf, ['上架', 'On sale'], /^(?:上架|在售|是|on ?sale|on|yes|y|true)$/i],
  [GoodsStatus.OffShelf, ['下架', 'Hidden'], /^(?:下架|停售|否|hidden|off ?sale|off|no|n|false)$/i],
  [GoodsStatus.VipShelf, ['仅会员可见', 'VIP only'], /^(?:仅会员可见|会员|vip(?: ?only)?)$/i],
];

export type PriceColumn = PriceCell | 'goods' | 'spec' | 'name' | 'spec_name' | 'cost.CNY' | 'cost.USD';
/**
 * The columns of a price list: their names in a download, and those that an upload may have, without blanks, brackets and case. Chinese
 * names without a currency are in CNY (docs/product.md#languages).
 */
export const priceColumns: ReadonlyArray<readonly [column: PriceColumn, names: Names, pattern: RegExp]> = [
  [
    'goods',
    ['商品编号', 'Product key'],
    /^((商品|产品)(编号|编码|代码|id)|(product|goods|item)(key|id|code|no)|goods)$/,
  ],
  ['name', ['商品名称', 'Product name'], /^((商品|产品)?名称?|商品|产品|品名|(product|goods)?name|product)$/],
  ['spec', ['面值编号', 'Value key'], /^((面值|规格)(编号|编码|代码|id)|(value|spec|sku)(key|id|code|no)|spec|sku)$/],
  ['spec_name', ['面值名称', 'Value name'], /^((面值|规格)(名称?)?|(value|spec)name|value)$/],
  [
    'price.CNY',
    ['价格（CNY）', 'Price (CNY)'],
    /^((价格|现价|售价|单价)(cny|rmb|[¥元])?|(sale)?price(in)?(cny|rmb|¥))$/,
  ],
  [
    'original.CNY',
    ['原价（CNY）', 'Original price (CNY)'],
    /^((原|市场)价(cny|rmb|[¥元])?|(original|market)price(cny|rmb|¥))$/,
  ],
  ['cost.CNY', ['成本（CNY）', 'Cost (CNY)'], /^(成本|进价|cost)(cny|rmb|[¥元])?$/],
  ['price.USD', ['价格（USD）', 'Price (USD)'], /^(价格|现价|售价|单价|(sale)?price(in)?)(usd|美元|\$)$/],
  ['original.USD', ['原价（USD）', 'Original price (USD)'], /^((原|市场)价|(original|market)price)(usd|美元|\$)$/],
  ['cost.USD', ['成本（USD）', 'Cost (USD)'], /^(成本|进价|cost)(usd|美元|\$)$/],
  ['status', ['状态', 'Status'], /^((商品)?状态|(是否)?(上架|在售)|上下架|(product)?status|onsale)$/],
];

const LONGEST_NAME = 100;

/** The column that a header names, in Chinese or English. */
export function priceColumnOf(name: string): PriceColumn | undefined {
  const text = name.slice(0, LONGEST_NAME).normalize('NFKC').toLowerCase();
  const plain = text.replace(/[\s_.:*#()[\]/-]+/g, '');
  return priceColumns.find(([, , pattern]) => pattern.test(plain))?.[0];
}

/** The texts of a row in a download, by column. */
export const priceTexts = (row: PriceRow, cost: Prices, language: keyof Texts): Record<PriceColumn, string | null> => ({
  ...row.cells,
  goods: row.goods,
  name: row.name[language],
  spec: row.spec,
  spec_name: row.spec_name[language],
  'cost.CNY': cost.CNY ?? null,
  'cost.USD': cost.USD ?? null,
  status: statuses.find(([status]) => String(status) === row.cells.status)?.[1][language === 'en' ? 1 : 0] ?? null,
});
