import { GoodsStatus, RechargeType, SpecType } from '@shop/shared/domain';
import { stockTypes } from '@shop/shared/domain/lists';
import { type Static, Type } from 'typebox';
import { MAX_HTML_LENGTH, sanitiseBoth } from '../content/sanitise';
import type { AppContext } from '../context';
import { cardMarkKey, cardMarks } from '../platform/crypto/card-marks';
import { type Keyring, tailMark } from '../platform/crypto/keyring';
import { CardState } from '../platform/db/named-numbers';
import { insert, type Sql, upsert } from '../platform/db/sql';
import { EditKeySchema, exact, inBoth, linesInBoth, oneOf, text } from '../platform/http/edit-schemas';
import { PICTURE_PATTERN } from '../platform/http/links';
import type { Texts } from '../platform/http/localised-text';
import { Nullable } from '../platform/http/schemas';
import { FieldSchema } from './goods-fields';
import { searchText } from './search-text';

/** Above zero, in major units with two decimals. */
const PriceSchema = Type.String({ pattern: '^(?!0+(\\.0+)?$)\\d{1,9}(\\.\\d{1,2})?$' });
export const PricesSchema = Type.Object(
  { CNY: Type.Optional(PriceSchema), USD: Type.Optional(PriceSchema) },
  { additionalProperties: false },
);
export type Prices = Static<typeof PricesSchema>;
const CountSchema = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const PictureSchema = Type.String({ pattern: `^$|${PICTURE_PATTERN}`, maxLength: 500 });

/** A product as staff edit it. It has no stock counters, because orders change them. */
export const StaffGoodsSchema = exact({
  name: inBoth(100, 1),
  category: EditKeySchema,
  status: oneOf(Object.values(GoodsStatus)),
  recharge_type: oneOf(Object.values(RechargeType)),
  stock_type: oneOf(stockTypes),
  aliases: Type.Array(text(60, 1), { maxItems: 50 }),
  initial: Type.String({ pattern: '^[A-Z#]$' }),
  tags: Type.Array(inBoth(20, 1), { maxItems: 10 }),
  image: PictureSchema,
  images: Type.Array(PictureSchema, { maxItems: 10 }),
  description_html: linesInBoth(MAX_HTML_LENGTH),
  notice: linesInBoth(5000),
  redeem: linesInBoth(5000),
  spec_type: oneOf(Object.values(SpecType)),
  specs: Type.Array(
    exact({
      key: EditKeySchema,
      name: inBoth(100, 1),
      face_value: text(60, 1),
      prices: PricesSchema,
      /** The price before the discount; equal to the price if there is no discount. */
      original_prices: PricesSchema,
      /** Prices by quantity. Absent: they stay. Revisions from before this feature lack them. */
      steps: Type.Optional(
        Type.Array(exact({ from: Type.Integer({ minimum: 2, maximum: 1_000_000 }), prices: PricesSchema }), {
          maxItems: 10,
        }),
      ),
      max_qty: CountSchema,
    }),
    { maxItems: 100 },
  ),
  custom: Nullable(
    exact({ min: CountSchema, max: CountSchema, step: CountSchema, unit_price: PricesSchema, unit: inBoth(30, 1) }),
  ),
  fields: Type.Array(FieldSchema, { maxItems: 20 }),
  limits: exact({
    min: CountSchema,
    max: CountSchema,
    per_user: Nullable(CountSchema),
    per_day: Nullable(CountSchema),
  }),
  need_verify_account: Type.Boolean(),
  sort: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});
export type StaffGoods = Static<typeof StaffGoodsSchema>;
type StaffSpec = StaffGoods['specs'][number];
export type PriceStep = NonNullable<StaffSpec['steps']>[number];

/** A product of the seed or an import. It may set a stock and leave out original prices, which are then the prices. */
export interface GoodsInput extends Omit<StaffGoods, 'specs'> {
  specs: Array<
    Omit<StaffSpec, 'original_prices'> & {
      original_prices?: Prices;
      /** Ignored for card codes, whose rows are counted, and for shared codes. Absent: unchanged, and no limit for a new face value. */
      stock?: number | null;
    }
  >;
}

/** Inserts or updates the goods by key. Specs that are missing in the input go off sale. Returns each spec's id. */
export async function saveGoods(sql: Sql, key: string, goods: GoodsInput): Promise<Map<string, number>> {
  const { name, category, tags, description_html, notice, redeem, specs, custom, fields, limits, ...columns } = goods;
  const names = [name['zh-CN'], name.en];
  const description = await sanitiseBoth(description_html);
  const id = await upsert(sql, 'goods', {
    ...columns,
    key,
    category_id: await sql.value('select id from categories where key = $1', [category]),
    name_zh: name['zh-CN'],
    name_en: name.en,
    description_zh: description['zh-CN'],
    description_en: description.en,
    notice_zh: notice['zh-CN'],
    notice_en: notice.en,
    redeem_zh: redeem['zh-CN'],
    redeem_en: redeem.en,
    tags: JSON.stringify(tags),
    fields: JSON.stringify(fields),
    min_qty: limits.min,
    max_qty: limits.max,
    per_user: limits.per_user ?? 0,
    per_day: limits.per_day ?? 0,
    custom_min: custom?.min ?? null,
    custom_max: custom?.max ?? null,
    custom_step: custom?.step ?? null,
    custom_unit: custom?.unit ?? null,
    search_text: searchText({ names, aliases: goods.aliases }),
    updated_at: new Date(),
  });
  const ids = new Map<string, number>();
  const hasCodes = goods.recharge_type === RechargeType.CardCode;
  for (const [sort, { name, prices, original_prices, steps, stock, ...columns }] of specs.entries()) {
    const counter = hasCodes ? null : stock;
    const specId = await insert(
      sql,
      'goods_specs',
      { ...columns, goods_id: id, name_zh: name['zh-CN'], name_en: name.en, stock: counter, sort },
      `on conflict (goods_id, key) do update set name_zh = excluded.name_zh, name_en = excluded.name_en,
         face_value = excluded.face_value, max_qty = excluded.max_qty, sort = excluded.sort, active = true,
         stock = case when ${counter !== undefined} and not goods_specs.shared then excluded.stock else goods_specs.stock end`,
    );
    ids.set(columns.key, specId);
    await savePrices(sql, id, specId, prices, original_prices);
    if (steps) await saveSteps(sql, specId, steps);
  }
  await sql.run('update goods_specs set active = false where goods_id = $1 and not (id = any($2))', [
    id,
    [...ids.values()],
  ]);
  await savePrices(sql, id, null, custom?.unit_price ?? {});
  await sql.one('select supply_refresh($1)', [[id]]);
  return ids;
}

async function savePrices(sql: Sql, goodsId: number, specId: number | null, prices: Prices, originals: Prices = {}) {
  await sql.run('delete from prices where goods_id = $1 and spec_id is not distinct from $2', [goodsId, specId]);
  await sql.run(
    `insert into prices (goods_id, spec_id, currency, price, original_price)
     select $1, $2, key, value::numeric * 100, coalesce($4::jsonb ->> key, value)::numeric * 100 from jsonb_each_text($3)`,
    [goodsId, specId, JSON.stringify(prices), JSON.stringify(originals)],
  );
}

async function saveSteps(sql: Sql, specId: number, steps: PriceStep[]) {
  await sql.run('delete from price_steps where spec_id = $1', [specId]);
  await sql.run(
    `insert into price_steps (spec_id, currency, from_qty, price)
     select $1, p.key, s."from", p.value::numeric * 100
       from jsonb_to_recordset($2) as s ("from" integer, prices jsonb) cross join jsonb_each_text(s.prices) p`,
    [specId, JSON.stringify(steps)],
  );
}

export const DEMO_CODE_PREFIX = 'DEMO-';

const CARDS_PER_TURN = 250;

/**
 * Stores codes encrypted, for an order as sold; codes that the shop has already, for whichever value, are left as they are. Returns how many
 * were new. `batchId`: the import that they belong to.
 */
export async function addCards(
  sql: Sql,
  keyring: Keyring,
  specId: number,
  cards: Array<{ card_no: string; card_pwd: string; expire_at?: string | null }>,
  { orderId = null, batchId = null }: { orderId?: number | null; batchId?: number | null } = {},
): Promise<number> {
  const markKey = await cardMarkKey(sql, keyring);
  let added = 0;
  for (let from = 0; from < cards.length; from += CARDS_PER_TURN) {
    const some = cards.slice(from, from + CARDS_PER_TURN);
    const marks = some.map((card) => cardMarks(markKey, card.card_no, card.card_pwd));
    added += await sql.run(
      `insert into card_codes (spec_id, state, order_id, sold_at, batch_id, number_mark, code_mark, key_id, card_no, card_pwd, expire_at, demo)
       select $1, case when $2::bigint is null then ${CardState.Free} else ${CardState.Sold} end, $2,
              case when $2 is not null then clock_timestamp() end, $3::bigint, c.*
         from unnest($4::bytea[], $5::bytea[], $6::text[], $7::bytea[], $8::bytea[], $9::timestamptz[], $10::boolean[]) c
       on conflict do nothing`,
      [
        specId,
        orderId,
        batchId,
        marks.map(({ number }) => number),
        marks.map(({ code }) => code),
        some.map(() => keyring.currentId),
        some.map((card) => keyring.encrypt(card.card_no)),
        some.map((card) => keyring.encrypt(card.card_pwd)),
        some.map((card) => card.expire_at ?? null),
        some.map((card) => card.card_no.startsWith(DEMO_CODE_PREFIX)),
      ],
    );
  }
  return added;
}

const MARKS_PER_TURN = 500;
const NO_TAIL = Buffer.alloc(0);

/** Marks the tails of sold codes, by which staff find their orders. */
export async function markCodeTails({ db, keyring, config }: AppContext): Promise<number> {
  const rows = await db.rows<{ id: number; key_id: string; card_no: Buffer }>(
    `select id, key_id, card_no from card_codes where state = ${CardState.Sold} and tail_mark is null order by id limit ${MARKS_PER_TURN}`,
  );
  if (rows.length === 0) return 0;
  const marks = rows.map(({ key_id, card_no }) => tailMark(config.secret, keyring.decrypt(key_id, card_no)) ?? NO_TAIL);
  return db.run(
    `update card_codes c set tail_mark = m.mark from unnest($1::bigint[], $2::bytea[]) as m (id, mark)
      where c.id = m.id and c.tail_mark is null`,
    [rows.map(({ id }) => id), marks],
  );
}

export const saveCategory = (
  sql: Sql,
  { key, name, icon, sort }: { key: string; name: Texts; icon: string; sort: number },
): Promise<number> => upsert(sql, 'categories', { key, name_zh: name['zh-CN'], name_en: name.en, icon, sort });
