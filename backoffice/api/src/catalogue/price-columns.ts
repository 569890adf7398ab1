import type { Sql } from '@shop/server/platform/db/sql';
import { suffixOf } from '@shop/server/platform/http/localised-text';
import type { Locale } from '@shop/server/platform/http/schemas';
import { RechargeType } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { amount } from '../sql';

export const priceCells = ['price.CNY', 'original.CNY', 'price.USD', 'original.USD'] as const;
export type PriceCell = (typeof priceCells)[number];
/** Amounts in major units; null: not sold in that currency, or no discount. */
export type PriceCells = Record<PriceCell, string | null>;

export const priceColumns = [
  ...(['goods', 'name', 'spec', 'spec_name', 'price.CNY', 'original.CNY', 'cost.CNY'] as const),
  ...(['price.USD', 'original.USD', 'cost.USD'] as const),
];
export type PriceColumn = (typeof priceColumns)[number];
/** A value of a product. Its costs are null if its supplier has not named them. */
export type PriceRow = PriceCells &
  Record<'goods' | 'name' | 'spec' | 'spec_name', string> &
  Record<'cost.CNY' | 'cost.USD', string | null>;

type Names = readonly [zh: string, en: string, pattern: RegExp];
/** The names of columns in a download, and those that an upload may have, without currency, blanks, brackets and case. */
const names: Record<string, Names> = {
  goods: ['商品编号', 'Product key', /^((商品|产品)(编号|编码|代码|id)|(product|goods|item)(key|id|code|no)|goods)$/],
  name: ['商品名称', 'Product name', /^((商品|产品)?名称?|商品|产品|品名|(product|goods)?name|product)$/],
  spec: ['面值编号', 'Value key', /^((面值|规格)(编号|编码|代码|id)|(value|spec|sku)(key|id|code|no)|spec|sku)$/],
  spec_name: ['面值名称', 'Value name', /^((面值|规格)(名称?)?|(value|spec)name|value)$/],
  price: ['价格', 'Price', /^(价格|现价|售价|单价|(sale)?price(in)?)$/],
  original: ['原价', 'Original price', /^((原|市场)价|(original|market)price)$/],
  cost: ['成本', 'Cost', /^(成本|进价|cost)$/],
};

export function priceHeader(column: PriceColumn, locale: Locale): string {
  const [name = '', currency] = column.split('.');
  const [zh = '', en = ''] = names[name] ?? [];
  if (locale === 'en') return currency ? `${en} (${currency})` : en;
  return currency ? `${zh}（${currency}）` : zh;
}

const LONGEST_NAME = 100;

/** The column that a header names. Chinese names without a currency are in CNY (docs/product.md#languages). */
export function priceColumnOf(header: string): PriceColumn | undefined {
  const text = header.slice(0, LONGEST_NAME).normalize('NFKC').toLowerCase();
  const plain = text.replace(/[\s_.:*#()[\]/-]+/g, '');
  const [, kind = '', cny, usd] = /^(.*?)(?:(cny|rmb|[¥元])|(usd|美元|\$))?$/.exec(plain) ?? [];
  const name = Object.keys(names).find((key) => names[key]?.[2].test(kind));
  const currency = usd ? 'USD' : cny || /\p{Script=Han}/u.test(kind) ? 'CNY' : '';
  return priceColumns.find((column) => column === name || column === `${name}.${currency}`);
}

const amounts = currencies.map(
  (
    currency,
  ) => `${amount(`${currency}.price`)} as "price.${currency}", ${amount(`f.costs ->> '${currency}'`)} as "cost.${currency}",
    ${amount(`nullif(${currency}.original_price, ${currency}.price)`)} as "original.${currency}"`,
);

/** All values of products, in the order of the list of products. */
export const readPriceRows = (sql: Sql, goods: string[], locale: Locale): Promise<PriceRow[]> =>
  sql.rows<PriceRow>(
    `select g.key as goods, g.name_${suffixOf(locale)} as name, s.key as spec, s.name_${suffixOf(locale)} as spec_name,
            ${amounts.join(', ')}
       from goods g join goods_specs s on s.goods_id = g.id and s.active
       left join prices CNY on CNY.spec_id = s.id and CNY.currency = 'CNY'
       left join prices USD on USD.spec_id = s.id and USD.currency = 'USD'
       left join supplier_offers f on f.spec_id = s.id and f.stock_type = g.stock_type
        and g.recharge_type in (${RechargeType.Direct}, ${RechargeType.Proxy})
      where g.key = any($1) order by g.sort, g.id, s.sort, s.id`,
    [goods],
  );
