import { fromWire, toWire } from '@shop/server/platform/http/money';
import type { Currency } from '@shop/server/platform/http/schemas';
import { yieldingTurns } from '@shop/server/platform/http/yielding-turns';
import { currencies } from '@shop/shared/domain/lists';
import { plainAmount, plainText } from '@shop/shared/domain/plain-text';
import {
  type PriceCell,
  type PriceCells,
  type PriceColumn,
  type PriceRow,
  priceCells,
  priceColumnOf,
  statuses,
} from './price-columns';
import { SheetError, sheetRows } from './sheet-rows';

type AmountFault = 'number' | 'spreadsheet' | 'zero' | 'decimals';
type RowFault = 'goods' | 'spec' | 'quote' | 'twice' | 'original' | 'noPrice' | 'status';
export type PriceFaultKind = 'file' | 'size' | 'header' | 'column' | 'rows' | RowFault | AmountFault;

export interface PriceFault {
  row: number;
  /** Its letter and its name in the header: "C · Price (CNY)"; empty for a fault of the row or the file. */
  column: string;
  kind: PriceFaultKind;
  text: string;
  /** The row that this one repeats or contradicts. */
  other?: number;
}

/** A transaction of more rows takes too long. */
const MOST_ROWS = 5000;
const ROWS_OF_TITLE = 10;
const LONGEST_TEXT = 40;

export interface PriceSheet {
  headerRow: number;
  names: string[];
  columns: Array<PriceColumn | undefined>;
  rows: Array<{ row: number; cells: string[] }>;
  faults: PriceFault[];
}

/** Reads a price list; rows above its header and empty rows are skipped. */
export async function readPriceSheet(file: Buffer): Promise<PriceSheet> {
  const sheet: PriceSheet = { headerRow: 1, names: [], columns: [], rows: [], faults: [] };
  const { rows, faults } = sheet;
  const giveWay = yieldingTurns();
  try {
    for await (const { row, cells, isOpen } of sheetRows(file)) {
      await giveWay();
      const isHeader = sheet.names.length === 0 && cells.some((cell) => priceColumnOf(cell) === 'goods');
      if (isHeader) Object.assign(sheet, { headerRow: row, names: cells, columns: cells.map(priceColumnOf) });
      else if (isOpen) faults.push({ row, column: '', kind: 'quote', text: cells.join(' ').slice(0, LONGEST_TEXT) });
      else if (sheet.names.length > 0 && cells.some((cell) => cell.trim())) rows.push({ row, cells });
      if (rows.length + faults.length > MOST_ROWS || (row > ROWS_OF_TITLE && sheet.names.length === 0)) break;
    }
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    faults.push({ row: 1, column: '', kind: error.kind, text: '' });
  }
  const { columns, names } = sheet;
  if (faults.length === 0 && !priceCells.some((cell) => columns.includes(cell)))
    faults.push({ row: 1, column: '', kind: 'header', text: names.join(' ').slice(0, LONGEST_TEXT) });
  for (const [at, column] of columns.entries())
    if (isRead(column) && columns.indexOf(column) !== at)
      faults.push(faultAt(sheet, 'column', sheet.headerRow, at, names));
  if (rows.length + faults.length > MOST_ROWS) faults.push({ row: MOST_ROWS, column: '', kind: 'rows', text: '' });
  return sheet;
}

/** Names and costs are for the reader of the list. */
const isRead = (column: PriceColumn | undefined) => column && !/name|cost/.test(column);

const faultAt = (
  { names }: PriceSheet,
  kind: PriceFaultKind,
  row: number,
  at: number,
  cells: string[],
): PriceFault => ({
  row,
  column: at < 0 ? '' : `${columnLetters(at)} · ${(names[at] ?? '').slice(0, LONGEST_TEXT)}`,
  kind,
  text: (cells[at] ?? '').slice(0, LONGEST_TEXT),
});

/** 0 is A, 26 is AA. */
const columnLetters = (index: number): string =>
  (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

export interface PriceChange extends PriceRow {
  row: number;
  /** The cells that change; `cells` are all of them, after the change. */
  before: Partial<PriceCells>;
  after: Partial<PriceCells>;
}

/** The keys of the products that a sheet names. */
export const goodsIn = ({ columns, rows }: PriceSheet): string[] => [
  ...new Set(rows.map(({ cells }) => plainText(cells[columns.indexOf('goods')] ?? ''))),
];

/** The differences between a sheet and the shop's `current` rows by product. A row with a fault changes nothing. */
export async function comparePrices(sheet: PriceSheet, current: ReadonlyMap<string, PriceRow[]>) {
  const { columns } = sheet;
  const faults = [...sheet.faults];
  const changes: PriceChange[] = [];
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
    const textIn = (column: 'goods' | 'spec') => plainText(cells[columns.indexOf(column)] ?? '');
    const refuse = (kind: PriceFaultKind, column: PriceCell | 'goods' | 'spec', other?: number) => {
      faults.push({ ...faultAt(sheet, kind, row, columns.indexOf(column), cells), other });
      return undefined;
    };
    const goods = textIn('goods');
    const values = current.get(goods);
    if (!values) return refuse(isChangedBySpreadsheet(goods) ? 'spreadsheet' : 'goods', 'goods');
    const spec = textIn('spec') || (values.length === 1 && values[0]?.spec);
    const now = values.find((value) => value.spec === spec);
    if (!now) return refuse(isChangedBySpreadsheet(textIn('spec')) ? 'spreadsheet' : 'spec', 'spec');
    const wanted = { ...now.cells };
    for (const cell of priceCells) {
      if (!columns.includes(cell)) continue;
      const text = cells[columns.indexOf(cell)] ?? '';
      const value = cell === 'status' ? statusIn(text) : amountIn(text, cell.endsWith('CNY') ? 'CNY' : 'USD');
      if (typeof value === 'object') refuse(value.fault, cell);
      else if (cell !== 'status' || value !== '') wanted[cell] = value || null;
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
    const changed = priceCells.filter((cell) => wanted[cell] !== now.cells[cell]);
    const pick = (from: PriceCells) => Object.fromEntries(changed.map((cell) => [cell, from[cell]]));
    return { ...now, row, before: pick(now.cells), after: pick(wanted), cells: wanted };
  }
}

export const minor = (amount: string): number => fromWire(amount) ?? Number.NaN;

/** A number or date that a spreadsheet shows instead of what was typed, and errors of formulas. */
const isChangedBySpreadsheet = (text: string) => /^-?\d+(?:[.,]\d+)?e[+-]?\d+$|^#/i.test(text);

const currencySigns: Record<Currency, RegExp> = { CNY: /cny|rmb|人民币|[¥元]/gi, USD: /usd?|美元|美金|\$/gi };

/** Empty for an empty cell. */
function amountIn(text: string, currency: Currency): string | { fault: AmountFault } {
  const number = plainAmount(plainText(text).replace(currencySigns[currency], ''));
  if (number === '') return '';
  if (isChangedBySpreadsheet(number)) return { fault: 'spreadsheet' };
  const [, sign, whole, decimals = ''] = /^(-?)(\d{1,9})(?:\.(\d+))?$/.exec(number) ?? [];
  if (whole === undefined) return { fault: 'number' };
  if (sign || Number(number) === 0) return { fault: 'zero' };
  return decimals.length > 2 ? { fault: 'decimals' } : toWire(minor(number));
}

function statusIn(text: string): string | { fault: 'status' } {
  const plain = plainText(text);
  const found = statuses.find(([, , pattern]) => pattern.test(plain));
  return found || !plain ? String(found?.[0] ?? '') : { fault: 'status' };
}
