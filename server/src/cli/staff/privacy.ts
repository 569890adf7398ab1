import fs from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { blockersOf, eraseAccount } from '../../accounts/privacy/closure.service';
import { exportFile } from '../../accounts/privacy/export.service';
import type { AppContext } from '../../context';
import { staffActor } from '../../platform/audit/audit';
import { shopErrorOf } from '../../platform/http/errors';
import { audit, StaffError, userByPhone } from './common';

/** Accounts whose owners have closed them, the next one to be erased first, with what stands in the way. */
export async function closures({ db }: AppContext) {
  await audit(db, 'closure.list', '');
  return db.rows(
    `select overlay(phone placing '****' from 4 for 4) as phone, close_requested_at as requested_at, close_at as erased_at,
            array_to_string(account_blockers(id), ', ') as waits_for
       from users where close_at is not null order by close_at limit 200`,
  );
}

/** Writes a copy of a person's data to a new file that only the staff's user may read. */
export async function exportData(context: AppContext, phone: string, file: string): Promise<string> {
  const format = /\.(json|csv)$/.exec(file)?.[1] as 'json' | 'csv' | undefined;
  if (!format) throw new StaffError(`${file} ends in neither .json nor .csv.`);
  const userId = await userByPhone(context.db, phone);
  await audit(context.db, 'account.export', `user ${userId}`, { format }, userId);
  try {
    await pipeline(
      Readable.from(exportFile(context, userId, format)),
      fs.createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new StaffError(`${file} exists already.`);
    fs.rmSync(file, { force: true });
    throw error;
  }
  return `Written to ${file}.`;
}

const blockers: Record<string, string> = {
  balance: 'the wallet is not empty (pay-back to where the money came from, or adjust once it was paid out otherwise)',
  orders: 'an order is open',
  recharges: 'a top-up is not ended; it closes by itself within a day',
  refunds: 'a refund is not decided or not done',
  disputes: 'a payment is disputed',
};

/** At once, on the person's request by other means. Answers the pseudonym. */
export async function erase({ db }: AppContext, phone: string, reason: string): Promise<string> {
  const userId = await userByPhone(db, phone);
  const pseudonym = await db
    .withTransaction((sql) => eraseAccount(sql, userId, staffActor().actor, reason))
    .catch(async (error) => {
      if (!shopErrorOf(error)) throw error;
      const found = await blockersOf(db, userId);
      throw new StaffError(`Not erased: ${found.map((one) => blockers[one]).join('; ')}.`);
    });
  return `Erased; the records of sales are kept as ${pseudonym}. Pictures are deleted within ten minutes.`;
}
