import { writeSharedText } from '../../src/catalogue/shared-codes';
import type { AppContext } from '../../src/context';

type Shop = Pick<AppContext, 'db' | 'keyring'>;

export async function addSharedValue(
  { db, keyring }: Shop,
  goodsId: number,
  key: string,
  text: string,
  { stock = null as number | null } = {},
): Promise<number> {
  return db.withTransaction(async (sql) => {
    const { id } = await sql.one<{ id: number }>(
      `insert into goods_specs (goods_id, key, name_zh, name_en, face_value, shared, stock)
       values ($1, $2, '教程', 'Guide', 'guide', true, $3) returning id`,
      [goodsId, key, stock],
    );
    await sql.run(
      "insert into prices (goods_id, spec_id, currency, price, original_price) values ($1, $2, 'CNY', 500, 500)",
      [goodsId, id],
    );
    await writeSharedText(sql, keyring, id, text);
    return id;
  });
}

export const writeText = ({ db, keyring }: Shop, specId: number, text: string): Promise<number> =>
  writeSharedText(db, keyring, specId, text);

export const countOf = ({ db }: Pick<Shop, 'db'>, specId: number): Promise<{ left: number; taken: number }> =>
  db.one<{ left: number; taken: number }>(
    `select s.stock as left, (select coalesce(sum(quantity), 0)::integer from shared_code_orders where spec_id = s.id) as taken
       from goods_specs s where s.id = $1`,
    [specId],
  );
