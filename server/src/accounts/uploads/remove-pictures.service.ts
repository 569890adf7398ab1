import type { AppContext } from '../../context';
import { periods } from '../retention/periods';

const BATCH = 200;
/** Longer than it takes to write a picture. */
const LEFTOVER_MS = 3_600_000;

/**
 * Removes leftovers of interrupted uploads, pictures that their owners do not use, and those of erased users, as of `now` (by default the
 * time of the database). The row is locked while the file is deleted, and deleted with it, so the next run completes an interrupted one.
 */
export async function removePictures({ db, providers }: AppContext, now: Date | null = null): Promise<number> {
  await providers.pictures.removeLeftovers?.(new Date((now?.getTime() ?? Date.now()) - LEFTOVER_MS));
  await db.withTransaction(async (sql) => {
    const old = await sql.column<string>(
      `select path from uploads u where removed_at is null and created_at < coalesce($1, now()) - $2::interval
          and not exists (select 1 from users where id = u.user_id and avatar = u.path)
        limit ${BATCH} for update skip locked`,
      [now, periods.unusedPictures],
    );
    // The use is checked again under the lock: the owner may have chosen the picture meanwhile.
    await sql.run(
      `update uploads u set removed_at = clock_timestamp() where path = any ($1)
          and not exists (select 1 from users where id = u.user_id and avatar = u.path)`,
      [old],
    );
  });
  const removeNext = () =>
    db.withTransaction(async (sql) => {
      const next = await sql.row<{ path: string }>(
        'select path from uploads where removed_at is not null order by removed_at limit 1 for update skip locked',
      );
      if (!next) return false;
      await providers.pictures.remove(next.path.replace(/^\/uploads\//, ''));
      await sql.run('delete from uploads where path = $1', [next.path]);
      return true;
    });
  let removed = 0;
  while (removed < BATCH && (await removeNext())) removed++;
  return removed;
}
