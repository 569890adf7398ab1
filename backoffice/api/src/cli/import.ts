import path from 'node:path';
import { MODULE_CHANNEL, SWIPER_CHANNEL } from '@shop/server/catalogue/channels';
import { markCodes } from '@shop/server/catalogue/code-tails.service';
import { addCards, saveCategory, saveGoods } from '@shop/server/catalogue/goods.store';
import { type PictureKind, storePicture } from '@shop/server/catalogue/goods-picture';
import { readCodes, type WrittenCode } from '@shop/server/catalogue/read-codes';
import { removeModule, saveBanner, saveModule, UnknownKeyError } from '@shop/server/catalogue/storefront.store';
import { audit } from '@shop/server/cli/common';
import { MAX_HTML_LENGTH } from '@shop/server/content/sanitise';
import type { AppContext } from '@shop/server/context';
import type { Sql } from '@shop/server/platform/db/sql';
import { bodyValidator } from '@shop/server/platform/http/body-validator';
import { inBoth, linesInBoth } from '@shop/server/platform/http/edit-schemas';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { isLink, isListQuery, PICTURE_PATTERN } from '@shop/server/platform/http/links';
import { foreignPictures } from '@shop/server/platform/http/picture-origins';
import { codeFaultText } from '@shop/shared/domain/code-lines';
import { type Static, type TSchema, Type } from 'typebox';
import { addBatch } from '../catalogue/batches.service';
import { checkCodes } from '../catalogue/codes.service';
import { type StaffGoods, StaffGoodsSchema } from '../catalogue/goods.schemas';
import { goodsEditable } from '../catalogue/goods.service';
import { EditKeySchema } from '../edits/edits.schemas';
import { GoodsSchema, mergeGoods } from './import-goods';
import { croppedPicture, isLocalPicture, LocalPictureSchema } from './import-pictures';
import { type FileRecord, readRecords } from './read-records';

const Texts = inBoth(200, 1);
const PictureSchema = Type.Unsafe<string>(Type.Union([Type.String({ pattern: PICTURE_PATTERN }), LocalPictureSchema]));

const CategorySchema = Type.Object({
  key: EditKeySchema,
  name: Texts,
  icon: Type.Optional(Type.String({ pattern: `^$|${PICTURE_PATTERN}` })),
  sort: Type.Optional(Type.Integer()),
});

const Link = {
  link_type: Type.Optional(Type.Integer({ minimum: 0, maximum: 4 })),
  link_value: Type.Optional(Type.String({ maxLength: 500 })),
};
const BannerSchema = Type.Object({
  key: EditKeySchema,
  title: Texts,
  image: PictureSchema,
  image_alt: Texts,
  ...Link,
  sort: Type.Optional(Type.Integer()),
  status: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
});
const ItemSchema = Type.Object({
  kind: Type.Union(['goods', 'category', 'link'].map((kind) => Type.Literal(kind))),
  goods: Type.Optional(EditKeySchema),
  category: Type.Optional(EditKeySchema),
  title: Type.Optional(Texts),
  image: Type.Optional(PictureSchema),
  tag: Type.Optional(Texts),
  ...Link,
});
const ModuleSchema = Type.Object({
  key: EditKeySchema,
  template: Type.Integer({ minimum: 1, maximum: 6 }),
  title: Texts,
  subtitle: Type.Optional(linesInBoth(MAX_HTML_LENGTH)),
  sort: Type.Optional(Type.Integer()),
  more_link: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 500 })])),
  countdown_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8760 })),
  items: Type.Array(ItemSchema),
  /** 2 takes it off the page. */
  status: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 })),
});

interface ImportFault {
  line: number;
  message: string;
}
export interface ImportReport {
  goods: number;
  cards: number;
  known: number;
  banners: number;
  modules: number;
  faults: ImportFault[];
}

/** Rolls the transaction back without being an error. */
class Undo extends Error {}

/** All or nothing: with a fault on any line, or for a dry run, the database stays unchanged. Throws FileError. */
export async function importFile(
  context: AppContext,
  name: string,
  text: string,
  { dryRun = false } = {},
): Promise<ImportReport> {
  const records = readRecords(name, text);
  const report: ImportReport = { goods: 0, cards: 0, known: 0, banners: 0, modules: 0, faults: [] };
  const categories = checked(CategorySchema, records.categories, report);
  const goods = checked(GoodsSchema, records.goods, report);
  const cards = await readCards(context, records.codes, report);
  const banners = checked(BannerSchema, records.banners, report);
  const modules = checked(ModuleSchema, records.modules, report);
  const origins = context.config.pictureOrigins;
  for (const { line, value } of [...categories, ...goods, ...banners, ...modules]) {
    const [field] = foreignPictures(value, origins);
    if (field) report.faults.push({ line, message: `${field}: ${fieldText('picture', 'en')}` });
  }
  if (!report.faults.length) await placePictures();
  await markCodes(context);
  await context.db
    .withTransaction(async (sql) => {
      for (const { value } of categories) await saveCategory(sql, { icon: '', sort: 0, ...value });
      for (const product of goods) await importGoods(sql, product, report);
      await importCards(context, sql, path.basename(name).slice(0, 60), cards, report);
      await importHome(sql, banners, modules, report);
      if (report.faults.length || dryRun) throw new Undo();
      await audit(sql, 'import', name, { ...report, faults: undefined });
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error;
    });
  report.faults.sort((a, b) => a.line - b.line);
  return report;

  /** Replaces each local picture file by its address. The pictures are written first: files cannot be rolled back, only left unused. */
  async function placePictures(): Promise<void> {
    const place = async (kind: PictureKind, line: number, record: { image?: unknown }) => {
      if (!isLocalPicture(record.image)) return;
      const picture = await croppedPicture(name, kind, record.image);
      if (typeof picture === 'string') report.faults.push({ line, message: picture });
      else record.image = dryRun ? '' : await storePicture(context.providers.pictures, picture);
    };
    for (const { line, value } of goods) await place('goods', line, value);
    for (const { line, value } of banners) await place('banners', line, value);
    for (const { line, value } of modules) for (const item of value.items) await place('items', line, item);
  }
}

interface Checked<T> {
  line: number;
  value: T;
}
function checked<T extends TSchema>(schema: T, records: FileRecord[], report: ImportReport): Checked<Static<T>>[] {
  const faultOf = schemaFault(schema);
  return records.flatMap(({ line, value }) => {
    const message = faultOf(value);
    if (message === undefined) return [{ line, value: value as Static<T> }];
    report.faults.push({ line, message });
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
  { line, value: named }: Checked<Static<typeof GoodsSchema>>,
  report: ImportReport,
): Promise<void> {
  const { key } = named;
  report.goods += 1;
  await goodsEditable.lock?.(sql, key);
  const before = await goodsEditable.read(sql, key);
  const merged = mergeGoods(named, before);
  const fault = goodsFault(merged);
  if (fault) {
    report.faults.push({ line, message: fault });
    return;
  }
  const goods = merged as StaffGoods;
  for (const [field, rule] of Object.entries((await goodsEditable.faults?.(sql, goods, before)) ?? {}))
    report.faults.push({ line, message: `${field}: ${fieldText(rule, 'en')}` });
  if (report.faults.length) return;
  const { id } = await sql.one<{ id: number }>('select id from categories where key = $1', [goods.category]);
  const stocks = new Map(named.specs?.map((spec) => [spec.key, spec.stock]));
  const specs = goods.specs.map((spec) => ({ ...spec, stock: stocks.get(spec.key) }));
  await saveGoods(sql, id, { key, ...goods, specs });
}

/** Adds codes as one batch if no line of the file has a fault. Codes that the shop has already are only counted. */
async function importCards(
  context: AppContext,
  sql: Sql,
  name: string,
  codes: readonly WrittenCode[],
  report: ImportReport,
): Promise<void> {
  const { good, faults } = await checkCodes(context, sql, codes);
  for (const { line, kind, other } of faults) {
    if (kind === 'known') report.known += 1;
    else report.faults.push({ line, message: codeFaultText(kind, 'en', other) });
  }
  if (report.faults.length || good.length === 0) return;
  const batchId = await addBatch(sql, context.config, { name });
  for (const id of new Set(good.map(({ specId }) => specId))) {
    const cards = good.filter(({ specId }) => specId === id);
    report.cards += await addCards(sql, context.keyring, context.config.secret, id, cards, { batchId });
  }
}

/** The codes of a file with their ends, and the faults of the others. */
async function readCards({ config }: AppContext, text: string, report: ImportReport): Promise<WrittenCode[]> {
  const { codes, faults } = await readCodes(text, { goods: '', spec: '' }, config.timeZone);
  for (const { line, kind } of faults) report.faults.push({ line, message: codeFaultText(kind, 'en') });
  return codes;
}

async function importHome(
  sql: Sql,
  banners: Checked<Static<typeof BannerSchema>>[],
  modules: Checked<Static<typeof ModuleSchema>>[],
  report: ImportReport,
): Promise<void> {
  if (report.faults.length) return;
  const save = async (line: number, [fault]: string[], work: () => Promise<void>) => {
    if (fault) report.faults.push({ line, message: fault });
    else
      await work().catch((error) => {
        if (!(error instanceof UnknownKeyError)) throw error;
        report.faults.push({ line, message: error.message });
      });
  };
  for (const { line, value } of banners) {
    const banner = { channel: SWIPER_CHANNEL, sort: 1000, status: 1, ...completeLink(value) };
    await save(line, linkFaults(value), () => saveBanner(sql, banner));
    report.banners += 1;
  }
  for (const { line, value } of modules) {
    const defaults = { channel: MODULE_CHANNEL, subtitle: { 'zh-CN': '', en: '' }, sort: 1000, more_link: null };
    const module = { ...defaults, ...value, items: value.items.map(completeLink) };
    await save(line, [...moreFaults(value), ...value.items.flatMap(itemFaults)], () =>
      value.status === 2 ? removeModule(sql, value.key) : saveModule(sql, module),
    );
    report.modules += 1;
  }
}

type LinkFields = { link_type?: number; link_value?: string; kind?: string; goods?: string; category?: string };

function linkFaults(fields: LinkFields): string[] {
  const { link_type, link_value } = completeLink(fields);
  return isLink(link_type, link_value) ? [] : [`link_value: ${fieldText('link', 'en')}`];
}

const itemFaults = (item: Static<typeof ItemSchema>): string[] => [
  ...linkFaults(item),
  ...(item.kind !== 'link' && !item[item.kind as 'goods' | 'category']
    ? [`an item of kind ${item.kind} names none`]
    : []),
];

const moreFaults = ({ more_link }: { more_link?: string | null }): string[] =>
  isListQuery(more_link ?? '') ? [] : ['more_link: it is a query of the list, such as category=mobile'];

/** By default an item with a product links to the product, and an item with a category links to its list. */
function completeLink<T extends LinkFields>(value: T): T & { link_type: number; link_value: string } {
  const { kind, goods = '', category, link_type, link_value = '' } = value;
  if (link_type !== undefined) return { ...value, link_type, link_value };
  if (kind === 'goods') return { ...value, link_type: 1, link_value: goods };
  if (kind === 'category') return { ...value, link_type: 2, link_value: `category=${category}` };
  return { ...value, link_type: 0, link_value: '' };
}
