import type { AppContext } from '../context';
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
