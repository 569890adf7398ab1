import { createHmac, randomBytes } from 'node:crypto';
import type { Sql } from '../db/sql';
import type { Keyring } from './keyring';

/** Keyed hashes by which the shop recognises a code, whichever value sells it. They reveal nothing without the key. */
export interface CardMarks {
  /** Equal for one number in upper and lower case, in full width, and with or without blanks and hyphens. */
  number: Buffer;
  /** Equal for one number and password; only the case and the width of the number do not count. */
  code: Buffer;
}

const folded = (number: string) => number.normalize('NFKC').toLowerCase();

export function cardMarks(key: string, cardNo: string, cardPwd: string): CardMarks {
  const mark = (text: string) => createHmac('sha256', key).update(text).digest();
  const number = folded(cardNo);
  return {
    number: mark(`number\0${number.replace(/[\s\p{Pd}_.]/gu, '') || number}`),
    code: mark(`code\0${number}\0${cardPwd.normalize('NFKC')}`),
  };
}

/** The key of the marks. It never changes, so that codes are recognised after every rotation of APP_SECRET and CARD_KEYS. */
export async function cardMarkKey(sql: Sql, keyring: Keyring): Promise<string> {
  const read = () =>
    sql.row<{ key_id: string; mark_key: Buffer }>('select key_id, mark_key from card_mark_keys where id = 1');
  let row = await read();
  if (!row) {
    await sql.run('insert into card_mark_keys (id, key_id, mark_key) values (1, $1, $2) on conflict do nothing', [
      keyring.currentId,
      keyring.encrypt(randomBytes(32).toString('base64')),
    ]);
    row = await read();
  }
  if (!row) throw new Error('the key of the marks is missing');
  return keyring.decrypt(row.key_id, row.mark_key);
}
