import { isUtf8 } from 'node:buffer';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import type { Currency, Locale } from '@shop/server/platform/http/schemas';
import { yieldingTurns } from '@shop/server/platform/http/yielding-turns';
import { currencies } from '@shop/shared/domain/lists';
import { plainAmount, plainText } from '@shop/shared/domain/plain-text';
import { detectDelimiter, streamCsvRows } from 'hucre/csv';
import { streamXlsxRows } from 'hucre/xlsx';

const priceCells = ['price.CNY', 'original.CNY', 'price.USD', 'original.USD'] as const;
export type PriceCell = (typeof priceCells)[number];
/** Amounts in major units; null: not sold in that currency, or no discount. */
export type PriceCells = Record<PriceCell, string | null>;

export const priceColumns = [
  ...(['goods', 'name', 'spec', 'spec_name', 'price.CNY', 'original.CNY', 'cost.CNY'] as const),
  ...(['price.USD', 'original.USD', 'cost.USD'] as const),
];
type PriceColumn = (typeof priceColumns)[number];
/** A value of a product. Its costs are null if its supplier has not named them. */
export type PriceRow = PriceCells &
  Record<'goods' | 'name' | 'spec' | 'spec_name', string> &
  Record<'cost.CNY' | 'cost.USD', string | null>;

type Names = readonly [zh: string, en: string, pattern: RegExp];
/** The names of columns in a download, and those that an upload may have, without currency, blanks, brackets and case. */
const columnNames: Record<string, Names> = {
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
  const [zh = '', en = ''] = columnNames[name] ?? [];
  if (locale === 'en') return currency ? `${en} (${currency})` : en;
  return currency ? `${zh}（${currency}）` : zh;
}

const LONGEST_NAME = 100;

/** The column that a header names. Chinese names without a currency are in CNY (docs/product.md#languages). */
function priceColumnOf(header: string): PriceColumn | undefined {
  const text = header.slice(0, LONGEST_NAME).normalize('NFKC').toLowerCase();
  const plain = text.replace(/[\s_.:*#()[\]/-]+/g, '');
  const [, kind = '', cny, usd] = /^(.*?)(?:(cny|rmb|[¥元])|(usd|美元|\$))?$/.exec(plain) ?? [];
  const name = Object.keys(columnNames).find((key) => columnNames[key]?.[2].test(kind));
  const currency = usd ? 'USD' : cny || /\p{Script=Han}/u.test(kind) ? 'CNY' : '';
  return priceColumns.find((column) => column === name || column === `${name}.${currency}`);
}

export interface PriceFault {
  row: number;
  /** Its name in the header: "Price (CNY)"; empty for a fault of the row or the file. */
  column: string;
  /** `file`: not readable or too large. `goods`: no such product or value. */
  kind: 'file' | 'header' | 'column' | 'quote' | 'spreadsheet' | 'goods' | 'number' | 'original' | 'noPrice' | 'twice';
  text: string;
  /** The row that this one repeats. */
  other?: number;
}

/** A transaction of more rows takes too long. */
const MOST_ROWS = 5000;
const ROWS_OF_TITLE = 10;
const LONGEST_TEXT = 40;

const readColumns = ['goods', 'spec', ...priceCells] as const;
type ReadColumn = (typeof readColumns)[number];

export interface PriceChange extends PriceRow {
  row: number;
  /** The cells that change; the row has all of them as they are after the change. */
  before: Partial<PriceCells>;
  after: Partial<PriceCells>;
}

/**
 * The differences between a price list and the shop's rows of its products, which `load` reads. Rows above the header and empty rows
 * are skipped; a row with a fault changes nothing.
 */
export async function readPrices(file: Buffer, load: (goods: string[]) => Promise<PriceRow[]>) {
  const faults: PriceFault[] = [];
  const changes: PriceChange[] = [];
  const rows: Array<{ row: number; cells: string[] }> = [];
  let names: string[] = [];
  let columns: Array<PriceColumn | undefined> = [];
  const giveWay = yieldingTurns();
  let last = 1;
  try {
    for await (const { row, cells } of sheetRows(file)) {
      await giveWay();
      last = row;
      if (!cells) refuse('quote', row);
      else if (names.length === 0 && cells.some((cell) => priceColumnOf(cell) === 'goods')) readHeader(row, cells);
      else if (names.length > 0 && cells.some((cell) => cell.trim())) rows.push({ row, cells });
      if (rows.length + faults.length > MOST_ROWS) throw new RangeError('too many rows');
      if (row > ROWS_OF_TITLE && names.length === 0) break;
    }
  } catch {
    refuse('file', last);
  }
  if (faults.length === 0 && !priceCells.some((cell) => columns.includes(cell))) refuse('header', 1);
  const current = new Map<string, PriceRow[]>();
  for (const row of await load([...new Set(rows.map(({ cells }) => textIn(cells, 'goods')))]))
    current.set(row.goods, [...(current.get(row.goods) ?? []), row]);
  const firstRows = new Map<string, number>();
  for (const { row, cells } of rows) {
    await giveWay();
    const count = faults.length;
    const change = changeOf(row, cells);
    if (change && faults.length === count && Object.keys(change.after).length > 0) changes.push(change);
  }
  faults.sort((a, b) => a.row - b.row);
  return { changes, faults, unknown: names.filter((name, at) => name && !columns[at]) };

  function refuse(kind: PriceFault['kind'], row: number, at = -1, cells: string[] = [], other?: number): undefined {
    const [column = '', text = ''] = [names[at], cells[at]].map((cell) => cell?.slice(0, LONGEST_TEXT));
    faults.push({ row, column, kind, text, other });
  }

  function readHeader(row: number, header: string[]) {
    names = header;
    columns = header.map(priceColumnOf);
    for (const [at, column] of columns.entries())
      if (readColumns.some((name) => name === column) && columns.indexOf(column) !== at)
        refuse('column', row, at, header);
  }

  function textIn(cells: string[], column: ReadColumn): string {
    return plainText(cells[columns.indexOf(column)] ?? '');
  }

  function changeOf(row: number, cells: string[]): PriceChange | undefined {
    const refuseIn = (kind: PriceFault['kind'], column: ReadColumn, other?: number) =>
      refuse(kind, row, columns.indexOf(column), cells, other);
    const spoilt = readColumns.filter((column) => isChangedBySpreadsheet(textIn(cells, column)));
    for (const column of spoilt) refuseIn('spreadsheet', column);
    if (spoilt.length > 0) return undefined;
    const goods = textIn(cells, 'goods');
    const values = current.get(goods);
    if (!values) return refuseIn('goods', 'goods');
    const spec = textIn(cells, 'spec') || (values.length === 1 && values[0]?.spec);
    const now = values.find((value) => value.spec === spec);
    if (!now) return refuseIn('goods', 'spec');
    const wanted = { ...now };
    for (const cell of priceCells) {
      if (!columns.includes(cell)) continue;
      const value = amountIn(textIn(cells, cell), cell.endsWith('CNY') ? 'CNY' : 'USD');
      if (value === undefined) refuseIn('number', cell);
      else wanted[cell] = value;
    }
    for (const currency of currencies) {
      const [price, original] = [wanted[`price.${currency}`], wanted[`original.${currency}`]];
      const hasColumn = columns.includes(`original.${currency}`);
      if (price && original && minor(original) < minor(price))
        refuseIn('original', hasColumn ? `original.${currency}` : `price.${currency}`);
      else if (!price || price === original) wanted[`original.${currency}`] = null;
    }
    if (!wanted['price.CNY'] && !wanted['price.USD']) refuseIn('noPrice', 'price.CNY');
    const first = firstRows.get(`${goods} ${spec}`);
    if (first) refuseIn('twice', 'spec', first);
    firstRows.set(`${goods} ${spec}`, row);
    const changed = priceCells.filter((cell) => wanted[cell] !== now[cell]);
    const pick = (from: PriceCells) => Object.fromEntries(changed.map((cell) => [cell, from[cell]]));
    return { ...wanted, row, before: pick(now), after: pick(wanted) };
  }
}

export const minor = (amount: string): number => fromWire(amount) ?? Number.NaN;

/** A number or date that a spreadsheet shows instead of what was typed, and errors of formulas. */
const isChangedBySpreadsheet = (text: string) => /^-?\d+(?:[.,]\d+)?e[+-]?\d+$|^#/i.test(text);

const currencySigns: Record<Currency, RegExp> = { CNY: /cny|rmb|人民币|[¥元]/gi, USD: /usd?|美元|美金|\$/gi };

/** Null for an empty text; undefined for one that is no amount above zero in this currency. */
function amountIn(text: string, currency: Currency): string | null | undefined {
  const number = plainAmount(text.replace(currencySigns[currency], ''));
  if (number === '') return null;
  return /^\d{1,9}(\.\d{1,2})?$/.test(number) && Number(number) > 0 ? toWire(minor(number)) : undefined;
}

/** 5,000 rows take 3 MB. hucre reads the texts of a workbook at once, so that more would hold the main thread. */
const MOST_UNZIPPED = 6 * 1024 * 1024;

interface SheetRow {
  row: number;
  /** Undefined: a quotation mark has no partner. */
  cells: string[] | undefined;
}

/**
 * The texts of each row of a CSV or XLSX file. Dates, and numbers that have lost digits, are as a spreadsheet shows them: "#DATE", "1.2e+15".
 * Throws for a file that is damaged, encrypted or too large.
 */
async function* sheetRows(file: Buffer): AsyncGenerator<SheetRow> {
  // The second signature is that of workbooks with a password and of old ones.
  if (!/^(PK|\xd0\xcf)/.test(file.toString('latin1', 0, 2))) {
    // The GBK of "CSV" in Chinese spreadsheets.
    const encoding = isUtf8(file) ? 'utf-8' : 'gb18030';
    return yield* textRows(new TextDecoder(encoding).decode(file));
  }
  if (unzippedBytes(file) > MOST_UNZIPPED) throw new RangeError('the workbook is too large');
  for await (const { index, values } of streamXlsxRows(file)) yield { row: index + 1, cells: values.map(cellText) };
}

const LONGEST_LINE = 5000;
const LINES_OF_SAMPLE = 10;

/** Each line is read alone, so that a quotation mark without a partner does not swallow the next rows. */
function* textRows(text: string): Generator<SheetRow> {
  const delimiter = detectDelimiter(text.slice(0, LINES_OF_SAMPLE * LONGEST_LINE));
  let row = 0;
  for (const [, line = ''] of text.matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g)) {
    if (line.length > LONGEST_LINE) throw new RangeError('the line is too long');
    const [cells = []] = streamCsvRows(line, { delimiter, unescapeFormulae: true });
    yield { row: ++row, cells: line.split('"').length % 2 === 0 ? undefined : cells.map(String) };
  }
}

/** A number has the 15 digits of spreadsheets, which have no remainder after 0.1 + 0.2. */
function cellText(value: unknown): string {
  if (value instanceof Date) return '#DATE';
  if (typeof value !== 'number') return String(value ?? '');
  const text = value.toPrecision(15);
  return text.includes('e') ? text : String(Number(text));
}

/** The sum of the sizes that a ZIP file names. hucre unpacks no entry beyond its size, but one without sizes up to 2 GB. */
function unzippedBytes(file: Buffer): number {
  let total = 0;
  for (let at = file.indexOf('PK\x01\x02'); at >= 0; at = file.indexOf('PK\x01\x02', at + 1)) {
    const [flags, packed, size] = [file.readUInt16LE(at + 8), file.readUInt32LE(at + 20), file.readUInt32LE(at + 24)];
    const isEmpty = packed + size === 0 && (flags & 8) === 0;
    if (!isEmpty) total += packed > 0 && size > 0 ? size : Number.POSITIVE_INFINITY;
  }
  return total;
}
