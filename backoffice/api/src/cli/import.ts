import path from 'node:path';
import {
  addCards,
  type StaffGoods,
  StaffGoodsSchema,
  saveCategory,
  saveGoods,
} from '@shop/server/catalogue/goods.store';
import { FieldSchema } from '@shop/server/catalogue/goods-fields';
import { readCodes, type WrittenCode } from '@shop/server/catalogue/read-codes';
import { initialOf } from '@shop/server/catalogue/search-text';
import { StaffError } from '@shop/server/cli/common';
import type { AppContext } from '@shop/server/context';
import type { Sql } from '@shop/server/platform/db/sql';
import { bodyValidator } from '@shop/server/platform/http/body-validator';
import { EditKeySchema, exact, inBoth } from '@shop/server/platform/http/edit-schemas';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { PICTURE_PATTERN } from '@shop/server/platform/http/links';
import { foreignPictures } from '@shop/server/platform/http/picture-origins';
import { Nullable } from '@shop/server/platform/http/schemas';
import { codeFaultText } from '@shop/shared/domain/code-lines';
import { type Static, type TSchema, Type } from 'typebox';
import { addBatch } from '../catalogue/batches.service';
import { bySpec, checkCodes } from '../catalogue/codes.service';
import { goodsEditable } from '../catalogue/goods.service';
import { goodsDefaults } from '../catalogue/goods-defaults';
import { record } from '../people/record';

const CategorySchema = Type.Object({
  key: EditKeySchema,
  name: inBoth(200, 1),
  icon: Type.Optional(Type.String({ pattern: `^$|${PICTURE_PATTERN}` })),
  sort: Type.Optional(Type.Integer()),
});

const { limits, custom, specs } = StaffGoodsSchema.properties;
/** A product as the console saves it, but every field except the keys is optional. */
const GoodsSchema = exact({
  ...Type.Partial(StaffGoodsSchema).properties,
  key: EditKeySchema,
  limits: Type.Optional(exact(Type.Partial(limits).properties)),
  custom: Type.Optional(Nullable(exact(Type.Partial(custom.anyOf[0]).properties))),
  fields: Type.Optional(
    Type.Array(exact({ ...FieldSchema.properties, remember: Type.Optional(Type.Boolean()) }), { maxItems: 20 }),
  ),
  specs: Type.Optional(
    Type.Array(
      exact({
        ...Type.Partial(specs.items).properties,
        key: EditKeySchema,
        stock: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))),
      }),
      { maxItems: 100 },
    ),
  ),
});
type ImportedGoods = Static<typeof GoodsSchema>;
type ImportedSpec = NonNullable<ImportedGoods['specs']>[number];
type Spec = StaffGoods['specs'][number];

interface ImportFault {
  /** Only a fault of a code has one; the message names a product. */
  line?: number;
  message: string;
}
interface ImportReport {
  goods: number;
  cards: number;
  known: number;
  faults: ImportFault[];
}

/** Rolls the transaction back without being an error. */
class Undo extends Error {}

/**
 * Imports products from JSON, or codes from CSV with a header (goods,spec,card_no,card_pwd,expire_at). All or nothing: with a fault
 * on any line, or for a dry run, the database stays unchanged. Throws StaffError for an unreadable file.
 */
export async function importFile(
  context: AppContext,
  name: string,
  text: string,
  { dryRun = false } = {},
): Promise<ImportReport> {
  const isCodes = /\.csv$/i.test(name);
  const lists = isCodes ? {} : readLists(name, text);
  const report: ImportReport = { goods: 0, cards: 0, known: 0, faults: [] };
  const categories = checked(CategorySchema, 'categories', lists, report);
  const goods = checked(GoodsSchema, 'goods', lists, report);
  const { pictureOrigins, timeZone } = context.config;
  const { codes, faults } = await readCodes(isCodes ? text : '', { goods: '', spec: '' }, timeZone);
  for (const { line, kind } of faults) report.faults.push({ line, message: codeFaultText(kind, 'en') });
  for (const { name, value } of [...categories, ...goods]) {
    const [field] = foreignPictures(value, pictureOrigins);
    if (field) report.faults.push({ message: `${name}: ${field}: ${fieldText('picture', 'en')}` });
  }
  await context.db
    .withTransaction(async (sql) => {
      for (const { value } of categories) await saveCategory(sql, { icon: '', sort: 0, ...value });
      for (const product of goods) await importGoods(sql, product, report);
      await importCards(context, sql, path.basename(name).slice(0, 60), codes, report);
      if (report.faults.length || dryRun) throw new Undo();
      await record(sql, { action: 'import', subject: name, detail: { ...report, faults: undefined } });
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error;
    });
  report.faults.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return report;
}

/** The valid records of a list. The name of each is its list and its number there: "goods 3". */
function checked<T extends TSchema>(schema: T, list: List, lists: Lists, report: ImportReport) {
  const faultOf = schemaFault(schema);
  return (lists[list] ?? []).flatMap((value, index) => {
    const name = `${list} ${index + 1}`;
    const fault = faultOf(value);
    if (fault === undefined) return [{ name, value: value as Static<T> }];
    report.faults.push({ message: `${name}: ${fault}` });
    return [];
  });
}

function schemaFault(schema: TSchema): (value: unknown) => string | undefined {
  const validate = bodyValidator(schema);
  return (value) => {
    const fault = validate(value) ? undefined : validate.errors?.[0];
    if (!fault) return undefined;
    const property = fault.params.missingProperty ?? fault.params.additionalProperty;
    const place = [...fault.instancePath.split('/').slice(1), ...(property ? [property] : [])].join('.') || 'record';
    return `${place}: ${fault.message}`;
  };
}

const goodsFault = schemaFault(StaffGoodsSchema);

async function importGoods(
  sql: Sql,
  { name, value: named }: { name: string; value: ImportedGoods },
  report: ImportReport,
): Promise<void> {
  const { key } = named;
  report.goods += 1;
  await goodsEditable.lock?.(sql, key);
  const before = await goodsEditable.read(sql, key);
  const merged = mergeGoods(named, before);
  const fault = goodsFault(merged);
  if (fault) {
    report.faults.push({ message: `${name}: ${fault}` });
    return;
  }
  const goods = merged as StaffGoods;
  for (const [field, rule] of Object.entries((await goodsEditable.faults?.(sql, goods, before)) ?? {}))
    report.faults.push({ message: `${name}: ${field}: ${fieldText(rule, 'en')}` });
  if (report.faults.length) return;
  const stocks = new Map(named.specs?.map((spec) => [spec.key, spec.stock]));
  const specs = goods.specs.map((spec) => ({ ...spec, stock: stocks.get(spec.key) }));
  await saveGoods(sql, key, { ...goods, specs });
}

/**
 * The stored product, or a new one, with the changes that a file names. The lists of a file replace the stored ones; a
 * specification keeps the fields that the file omits. The result may break the console's schema, which is checked next.
 */
export function mergeGoods({ key: _key, ...named }: ImportedGoods, before: StaffGoods | undefined): unknown {
  const base: Partial<StaffGoods> = before ?? { ...goodsDefaults, initial: initialOf(named.name?.['zh-CN'] ?? '') };
  const specBefore = (key: string) => before?.specs.find((spec) => spec.key === key);
  return {
    ...base,
    ...named,
    limits: { ...base.limits, ...named.limits },
    ...(named.custom && {
      custom: {
        ...base.custom,
        ...named.custom,
        unit_price: { ...base.custom?.unit_price, ...named.custom.unit_price },
      },
    }),
    ...(named.fields && { fields: named.fields.map((field) => ({ remember: false, ...field })) }),
    ...(named.specs && { specs: named.specs.map((spec) => mergeSpec(spec, specBefore(spec.key))) }),
  };
}

function mergeSpec({ stock: _stock, ...named }: ImportedSpec, before: Spec | undefined): object {
  const stored = Object.entries(before?.original_prices ?? {});
  // An original price equal to the price means no discount, so it follows the price.
  const discounts = stored.filter(([currency, price]) => price !== before?.prices[currency as keyof Spec['prices']]);
  return {
    max_qty: 99,
    ...before,
    ...named,
    prices: { ...before?.prices, ...named.prices },
    original_prices: { ...Object.fromEntries(discounts), ...named.original_prices },
  };
}

/** Adds codes as one batch if no line of the file has a fault. Codes that the shop has already are only counted. */
async function importCards(
  context: AppContext,
  sql: Sql,
  name: string,
  written: readonly WrittenCode[],
  report: ImportReport,
): Promise<void> {
  const { good, faults } = await checkCodes(context, sql, written);
  for (const { line, kind, other } of faults) {
    if (kind === 'known') report.known += 1;
    else report.faults.push({ line, message: codeFaultText(kind, 'en', other) });
  }
  if (report.faults.length || good.length === 0) return;
  const batchId = await addBatch(sql, context.config, { name });
  for (const { specId, codes } of bySpec(good))
    report.cards += await addCards(sql, context.keyring, specId, codes, { batchId });
}

const listNames = ['goods', 'categories'] as const;
type List = (typeof listNames)[number];
type Lists = Partial<Record<List, unknown[]>>;

/** JSON: an array of products, or {"categories": [...], "goods": [...]}. Throws StaffError for other files. */
function readLists(file: string, text: string): Lists {
  let read: unknown;
  try {
    read = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new StaffError(`${file}: ${(error as Error).message}`);
  }
  if (typeof read !== 'object' || read === null) throw new StaffError(`${file}: it has no list of goods`);
  const lists: Lists = Array.isArray(read) ? { goods: read } : read;
  for (const [name, list] of Object.entries(lists))
    if (!listNames.some((known) => known === name) || !Array.isArray(list))
      throw new StaffError(`${file}: "${name}" is not one of the lists ${listNames.join(', ')}`);
  return lists;
}
