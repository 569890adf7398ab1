import type { AppContext } from '../context';
import { cardMarkKey, cardMarks } from '../platform/crypto/card-marks';
import { tailMark } from '../platform/crypto/keyring';
import { CardState } from '../platform/db/named-numbers';

const BATCH = 500;
const NO_TAIL = Buffer.alloc(0);

export async function markCodeTails({ db, keyring, config }: AppContext): Promise<number> {
  const rows = await db.rows<{ id: number; key_id: string; card_no: Buffer }>(
    `select id, key_id, card_no from card_codes where state = ${CardState.Sold} and tail_mark is null order by id limit ${BATCH}`,
  );
  if (rows.length === 0) return 0;
  const marks = rows.map(({ key_id, card_no }) => tailMark(config.secret, keyring.decrypt(key_id, card_no)) ?? NO_TAIL);
  return db.run(
    `update card_codes c set tail_mark = m.mark from unnest($1::bigint[], $2::bytea[]) as m (id, mark)
      where c.id = m.id and c.tail_mark is null`,
    [rows.map(({ id }) => id), marks],
  );
}

/**
 * Marks codes that servers of the previous version have stored, until none is left. Only the first of two equal ones gets the mark that is
 * unique. It runs outside a transaction, before codes are compared.
 */
export async function markCodes({ db, keyring }: Pick<AppContext, 'db' | 'keyring'>): Promise<number> {
  for (let count = 0; ; ) {
    const rows = await db.rows<{ id: number; key_id: string; card_no: Buffer; card_pwd: Buffer }>(
      `select id, key_id, card_no, card_pwd from card_codes where number_mark is null order by id limit ${BATCH}`,
    );
    if (rows.length === 0) return count;
    const key = await cardMarkKey(db, keyring);
    const marks = rows.map((row) =>
      cardMarks(key, keyring.decrypt(row.key_id, row.card_no), keyring.decrypt(row.key_id, row.card_pwd)),
    );
    const firsts = new Map(marks.map(({ code }, at) => [code.toString('hex'), at] as const).reverse());
    count += await db.run(
      `update card_codes c set number_mark = m.number_mark, code_mark = case when m.is_first and not exists (
           select 1 from card_codes o where o.number_mark = m.number_mark and o.code_mark = m.code_mark) then m.code_mark end
         from unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::boolean[]) as m (id, number_mark, code_mark, is_first)
        where c.id = m.id and c.number_mark is null`,
      [
        rows.map(({ id }) => id),
        marks.map(({ number }) => number),
        marks.map(({ code }) => code),
        marks.map(({ code }, at) => firsts.get(code.toString('hex')) === at),
      ],
    );
  }
}
