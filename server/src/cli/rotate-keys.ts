import type { AppContext } from '../context';

const BATCH = 500;

interface Row {
  id: number;
  key_id: string;
  card_no: Buffer;
  card_pwd: Buffer;
}

/** Encrypts every card code again with the first key of CARD_KEYS, so that the older ones can be taken away. */
export async function rotateKeys({ db, keyring }: AppContext): Promise<number> {
  for (let done = 0; ; ) {
    const changed = await db.withTransaction(async (sql) => {
      const rows = await sql.rows<Row>(
        'select id, key_id, card_no, card_pwd from card_codes where key_id <> $1 order by id limit $2 for update',
        [keyring.currentId, BATCH],
      );
      for (const { id, key_id, card_no, card_pwd } of rows) {
        await sql.run('update card_codes set key_id = $2, card_no = $3, card_pwd = $4 where id = $1', [
          id,
          keyring.currentId,
          keyring.encrypt(keyring.decrypt(key_id, card_no)),
          keyring.encrypt(keyring.decrypt(key_id, card_pwd)),
        ]);
      }
      return rows.length;
    });
    done += changed;
    if (changed < BATCH) {
      await db.run("insert into audit_log (actor, action, subject) values ('staff', 'keys.rotate', $1)", [
        String(done),
      ]);
      return done;
    }
  }
}
