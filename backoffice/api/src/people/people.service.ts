import { hashPassword, matchesPassword } from '@shop/server/accounts/auth/passwords';
import type { AppContext } from '@shop/server/context';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { limitRate } from '@shop/server/platform/http/rate-limit';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { insertStaff, invite } from './invitations.service';
import { record } from './record';
import type { StaffRole } from './roles';
import { checkStaffPassword } from './staff-passwords';
import { cleanName, nameKey } from './staff-sessions.service';

interface StaffUser {
  id: number;
  name: string;
  role: StaffRole;
  created_at: Date;
  disabled_at: Date | null;
  is_set_up: boolean;
}

type Keys = Pick<AppContext, 'db' | 'keyring'>;

/** Stops a stranger at an open session from guessing the current password. */
const PASSWORD_TRIES = { most: 10, seconds: 900 };

const columns = 'id, name, role, created_at, disabled_at, password_hash is not null as is_set_up';

export const listStaff = (sql: Sql) => sql.rows<StaffUser>(`select ${columns} from staff_people order by id`);

/** Throws StaffNameTaken. */
export function addStaff({ db, keyring }: Keys, typedName: string, role: StaffRole) {
  const name = cleanName(typedName);
  return db.withTransaction(async (sql) => {
    const staffId = await insertStaff(sql, name, role);
    await record(sql, { action: 'staff.add', subject: name, detail: { after: { role } } });
    return { name, ...(await invite(sql, keyring, { staffId })) };
  });
}

/** Ends the password, the authenticator's secret and the sessions of a staff member. Throws NotFound and LastManager. */
export const resetStaff = ({ db, keyring }: Keys, typedName: string) =>
  db.withTransaction(async (sql) => {
    const user = await lockWithManagers(sql, typedName);
    await sql.run('update staff_people set password_hash = null, totp_cipher = null, totp_key = null where id = $1', [
      user.id,
    ]);
    await requireManager(sql, user);
    await endStaffSessions(sql, user.id);
    await record(sql, { action: 'staff.reset', subject: user.name });
    return { name: user.name, ...(await invite(sql, keyring, { staffId: user.id })) };
  });

/** Locks a staff member and all managers, so that two concurrent changes leave one manager. Throws NotFound. */
async function lockWithManagers(sql: Sql, name: string): Promise<StaffUser> {
  await sql.rows("select 1 from staff_people where role = 'manager' order by id for update");
  const text = `select ${columns} from staff_people where name_key = $1 for update`;
  const user = await sql.row<StaffUser>(text, [nameKey(name)]);
  if (!user) throw new ShopError(ErrorCode.NotFound);
  return user;
}

/** Throws LastManager if the change of this staff member has left no manager who can sign in. */
async function requireManager(sql: Sql, before: StaffUser): Promise<void> {
  const wasManager = before.role === 'manager' && before.is_set_up && !before.disabled_at;
  const managers =
    "select 1 from staff_people where role = 'manager' and password_hash is not null and disabled_at is null";
  if (wasManager && !(await sql.row(managers))) throw new ShopError(StaffErrorCode.LastManager);
}

/** Ends the user's sessions. Throws NotFound and LastManager. */
export const changeStaff = (
  { db }: Pick<AppContext, 'db'>,
  name: string,
  change: { role?: StaffRole; disabled?: boolean },
): Promise<StaffUser> =>
  db.withTransaction(async (sql) => {
    const before = await lockWithManagers(sql, name);
    const after = await sql.one<StaffUser>(
      `update staff_people set role = coalesce($2, role),
              disabled_at = case when $3 then coalesce(disabled_at, clock_timestamp()) when not $3 then null else disabled_at end
        where id = $1 returning ${columns}`,
      [before.id, change.role ?? null, change.disabled ?? null],
    );
    await requireManager(sql, before);
    await endStaffSessions(sql, after.id);
    if (after.disabled_at) await sql.run('delete from staff_invitations where staff_id = $1', [after.id]);
    const shown = ({ role, disabled_at }: StaffUser) => ({ role, disabled: disabled_at !== null });
    const detail = { before: shown(before), after: shown(after) };
    await record(sql, { action: 'staff.change', subject: after.name, detail });
    return after;
  });

const endStaffSessions = (sql: Sql, staffId: number): Promise<number> =>
  sql.run('delete from staff_sessions where staff_id = $1', [staffId]);

/** Ends the user's other sessions. Throws TooManyRequests, StaffWrongPassword, StaffWeakPassword. */
export async function changeStaffPassword(
  { db }: Pick<AppContext, 'db'>,
  staff: { id: number; name: string; tokenHash: Buffer },
  { current, password }: { current: string; password: string },
): Promise<void> {
  await limitRate(db, `staff-password:${staff.id}`, PASSWORD_TRIES.most, PASSWORD_TRIES.seconds);
  const stored = await db.value<string | null>('select password_hash from staff_people where id = $1', [staff.id]);
  if (!(await matchesPassword(stored, current))) throw new ShopError(StaffErrorCode.StaffWrongPassword);
  await checkStaffPassword(password, staff.name);
  const hash = await hashPassword(password);
  await db.withTransaction(async (sql) => {
    const changed = await sql.run('update staff_people set password_hash = $2 where id = $1 and password_hash = $3', [
      staff.id,
      hash,
      stored,
    ]);
    if (!changed) throw new ShopError(StaffErrorCode.StaffWrongPassword);
    await sql.run('delete from staff_sessions where staff_id = $1 and token_hash <> $2', [staff.id, staff.tokenHash]);
    await record(sql, { action: 'staff.password', subject: staff.name });
  });
}
