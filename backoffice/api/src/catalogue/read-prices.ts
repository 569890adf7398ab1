import { fromWire, toWire } from '@shop/server/platform/http/money';
import type { Currency } from '@shop/server/platform/http/schemas';
import { yieldingTurns } from '@shop/server/platform/http/yielding-turns';
import { currencies } from '@shop/shared/domain/lists';
import { plainAmount, plainText } from '@shop/shared/domain/plain-text';
import { type PriceCells, type PriceColumn, type PriceRow, priceCells, priceColumnOf, statuses } from './price-columns';
import { sheetRows } from './sheet-rows';

export interface PriceFault {
  row: number;
  /** Its letter and its name in the header: "C · Price (CNY)"; empty for a fault of the row or the file. */
  column: string;
  /** `file`: not readable or too large. `goods`: no such product or value. */
  kind:
    | ('file' | 'header' | 'column' | 'quote' | 'spreadsheet' | 'goods')
    | ('number' | 'original' | 'noPrice' | 'status' | 'twice');
  text: string;
  /** The row that this one repeats or contradicts. */
  other?: number;
}

/** A transaction of more rows takes too long. */
const MOST_ROWS = 5000;
const ROWS_OF_TITLE = 10;
const LONGEST_TEXT = 40;

const readColumns = ['goods', 'spec', ...priceCells] as const;
type ReadColumn = (typeof readColumns)[number];

export interface PriceSheet {
  names: string[];
  columns: Array<PriceColumn | undefined>;
  rows: Array<{ row: number; cells: string[] }>;
  faults: PriceFault[];
}

/** Reads a price list; rows above its header and empty rows are skipped. */
export async function readPriceSheet(file: Buffer): Promise<PriceSheet> {
  const sheet: PriceSheet = { names: [], columns: [], rows: [], faults: [] };
  const { rows, faults } = sheet;
  const giveWay = yieldingTurns();
  let last = 1;
  try {
    for await (const { row, cells } of sheetRows(file)) {
      await giveWay();
      last = row;
      const hasHeader = sheet.columns.length > 0;
      if (!cells) faults.push(faultAt(sheet, 'quote', row));
      else if (!hasHeader && cells.some((cell) => priceColumnOf(cell) === 'goods')) readHeader(row, cells);
      else if (hasHeader && cells.some((cell) => cell.trim())) rows.push({ row, cells });
      if (rows.length + faults.length > MOST_ROWS) throw new RangeError('too many rows');
      if (row > ROWS_OF_TITLE && sheet.columns.length === 0) break;
    }
  } catch {
    faults.push(faultAt(sheet, 'file', last));
  }
  if (faults.length === 0 && !priceCells.some((cell) => sheet.columns.includes(cell)))
    faults.push(faultAt(sheet, 'header', 1));
  return sheet;

  function readHeader(row: number, names: string[]) {
    const columns = names.map(priceColumnOf);
    Object.assign(sheet, { names, columns });
    for (const [at, column] of columns.entries())
      if (readColumns.some((name) => name === column) && columns.indexOf(column) !== at)
        faults.push(faultAt(sheet, 'column', row, at, names));
  }
}

function faultAt(
  { names }: PriceSheet,
  kind: PriceFault['kind'],
  row: number,
  at = -1,
  cells: string[] = [],
): PriceFault {
  const column = at < 0 ? '' : `${columnLetters(at)} · ${(names[at] ?? '').slice(0, LONGEST_TEXT)}`;
  return { row, column, kind, text: (cells[at] ?? '').slice(0, LONGEST_TEXT) };
}

/** 0 is A, 26 is AA. */
const columnLetters = (index: number): string =>
  (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

export interface PriceChange extends PriceRow {
  row: number;
  /** The cells that change; the row has all of them as they are after the change. */
  before: Partial<PriceCells>;
  after: Partial<PriceCells>;
}

/** The keys of the products that a sheet names. */
export const goodsIn = ({ columns, rows }: PriceSheet): string[] => [
  ...new Set(rows.map(({ cells }) => plainText(cells[columns.indexOf('goods')] ?? ''))),
];

/** The differences between a sheet and the shop's rows. A row with a fault changes nothing. */
export async function comparePrices(sheet: PriceSheet, current: PriceRow[]) {
  const { columns } = sheet;
  const faults = [...sheet.faults];
  const changes: PriceChange[] = [];
  const valuesOf = new Map<string, PriceRow[]>();
  for (const row of current) valuesOf.set(row.goods, [...(valuesOf.get(row.goods) ?? []), row]);
  const firstRows = new Map<string, { row: number; status: string | null }>();
  const giveWay = yieldingTurns();
  for (const { row, cells } of sheet.rows) {
    await giveWay();
    const count = faults.length;
    const change = changeOf(row, cells);
    if (change && faults.length === count && Object.keys(change.after).length > 0) changes.push(change);
  }
  return { changes, faults };

  function changeOf(row: number, cells: string[]): PriceChange | undefined {
    const textIn = (column: ReadColumn) => plainText(cells[columns.indexOf(column)] ?? '');
    const refuse = (kind: PriceFault['kind'], column: ReadColumn, other?: number): undefined => {
      faults.push({ ...faultAt(sheet, kind, row, columns.indexOf(column), cells), other });
    };
    const spoilt = readColumns.filter((column) => isChangedBySpreadsheet(textIn(column)));
    for (const column of spoilt) refuse('spreadsheet', column);
    if (spoilt.length > 0) return undefined;
    const goods = textIn('goods');
    const values = valuesOf.get(goods);
    if (!values) return refuse('goods', 'goods');
    const spec = textIn('spec') || (values.length === 1 && values[0]?.spec);
    const now = values.find((value) => value.spec === spec);
    if (!now) return refuse('goods', 'spec');
    const wanted = { ...now };
    for (const cell of priceCells) {
      const text = textIn(cell);
      if (!columns.includes(cell) || (cell === 'status' && !text)) continue;
      const value = cell === 'status' ? statusIn(text) : amountIn(text, cell.endsWith('CNY') ? 'CNY' : 'USD');
      if (value === undefined) refuse(cell === 'status' ? 'status' : 'number', cell);
      else wanted[cell] = value;
    }
    for (const currency of currencies) {
      const [price, original] = [wanted[`price.${currency}`], wanted[`original.${currency}`]];
      const hasColumn = columns.includes(`original.${currency}`);
      if (price && original && minor(original) < minor(price))
        refuse('original', hasColumn ? `original.${currency}` : `price.${currency}`);
      else if (!price || price === original) wanted[`original.${currency}`] = null;
    }
    if (!wanted['price.CNY'] && !wanted['price.USD']) refuse('noPrice', 'price.CNY');
    const [sameValue, sameGoods] = [firstRows.get(`${goods} ${spec}`), firstRows.get(goods)];
    if (sameValue) refuse('twice', 'spec', sameValue.row);
    // The status is the product's.
    else if (sameGoods && sameGoods.status !== wanted.status) refuse('status', 'status', sameGoods.row);
    firstRows.set(`${goods} ${spec}`, { row, status: wanted.status });
    firstRows.set(goods, sameGoods ?? { row, status: wanted.status });
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

const statusIn = (text: string): string | undefined =>
  statuses.find(([, , , pattern]) => pattern.test(text))?.[0].toString();
