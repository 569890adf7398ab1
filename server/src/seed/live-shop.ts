import { DEMO_CODE_PREFIX } from '../catalogue/goods.store';
import type { AppContext } from '../context';
import { StartError } from '../platform/db/database';

const BATCH = 1000;

/**
 * Before a shop takes real money: the demonstration's codes go off sale for good. Throws StartError for a database with payments
 * of the sandbox, whose money is not real.
 */
export async function goLive(context: AppContext): Promise<void> {
  const { db } = context;
  if (await db.row("select 1 from payments where method = 'sandbox' and state = 'paid' limit 1")) {
    throw new StartError(
      'This database holds payments of the sandbox, whose money is not real. Start a shop with real payments on another one (DATA_DIR or DATABASE_URL).',
    );
  }
  await noteDemoCodes(context);
  await db.withTransaction(async (sql) => {
    await sql.run('insert into live_shop default values on conflict do nothing');
    await sql.one('select demo_codes_void()');
  });
}

/** Throws StartError where the sandbox would give away what a live shop sells. */
export async function refuseSandboxOnLiveShop({ db, config }: AppContext): Promise<void> {
  const { payments } = config.providers;
  if (config.live || !Object.values(payments).some((codes) => codes.includes('sandbox'))) return;
  if (await db.row('select 1 from live_shop'))
    throw new StartError('This database belongs to a shop with real payments: the sandbox does not serve it.');
}

/** Codes that were stored before the column `demo` was there. */
async function noteDemoCodes({ db, keyring }: AppContext): Promise<void> {
  for (;;) {
    const rows = await db.rows<{ id: number; key_id: string; card_no: Buffer }>(
      `select id, key_id, card_no from card_codes where demo is null order by id limit ${BATCH}`,
    );
    if (rows.length === 0) return;
    const demo = rows.map((row) => keyring.decrypt(row.key_id, row.card_no).startsWith(DEMO_CODE_PREFIX));
    await db.run(
      'update card_codes c set demo = n.demo from unnest($1::bigint[], $2::boolean[]) n (id, demo) where c.id = n.id',
      [rows.map((row) => row.id), demo],
    );
  }
}
