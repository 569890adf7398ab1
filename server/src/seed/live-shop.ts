import type { AppContext } from '../context';
import { StartError } from '../platform/db/database';

/**
 * Runs before a shop takes real money: the demo codes go off sale for good. Throws StartError for a database with payments of the
 * sandbox, whose money is not real.
 */
export async function goLive({ db }: AppContext): Promise<void> {
  if (await db.row("select 1 from payments where method = 'sandbox' and state = 'paid' limit 1")) {
    throw new StartError(
      'This database holds payments of the sandbox, whose money is not real. Start a shop with real payments on another one (DATA_DIR or DATABASE_URL).',
    );
  }
  await db.withTransaction(async (sql) => {
    await sql.run('insert into live_shop default values on conflict do nothing');
    await sql.one('select demo_codes_void()');
  });
}

/** Throws StartError if the sandbox would give away what a live shop sells. */
export async function refuseSandboxOnLiveShop({ db, config }: AppContext): Promise<void> {
  const { payments } = config.providers;
  if (config.live || !Object.values(payments).some((codes) => codes.includes('sandbox'))) return;
  if (await db.row('select 1 from live_shop'))
    throw new StartError('This database belongs to a shop with real payments: the sandbox does not serve it.');
}
