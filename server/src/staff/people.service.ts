import { randomBytes } from 'node:crypto';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { addEntry, staffActor } from '../audit/audit';
import { hashPassword, isCommon, matchesPassword } from '../auth/passwords';
import type { AppContext } from '../context';
import { randomNumber } from '../crypto/tokens';
import type { Sql } from '../db/sql';
import { ShopError } from '../http/errors';
import { limitRate } from '../http/rate-limit';
import type { StaffRole } from './roles';
import { newTotpSecret, totpAddress } from './totp';

export interface StaffPerson {
  id: number;
  name: string;
  role: StaffRole;
  created_at: Date;
  disabled_at: Date | null;
}

/** What a new person needs to sign in; shown once. */
export interface StaffCredentials {
  name: string;
  password: string;
  /** For the authenticator app. */
  address: string;
}

type Keys = Pick<AppContext, 'db' | 'keyring'>;

/** Of whoever guesses the current password in somebody's open session. */
const PASSWORD_TRIES = { most: 10, seconds: 900 };

/** One name for what looks alike. */
export const nameKey = (name: string) => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();

/** Of somebody in the audit log. */
export const staffName = (name: string) => `${name} (staff)`;

const columns = 'id, name, role, created_at, disabled_at';

export const listStaff = (sql: Sql) => sql.rows<StaffPerson>(`select ${columns} from staff_people order by id`);

/** The password is random: whoever gets it changes it at /staff. */
async function newCredentials(keyring: AppContext['keyring'], name: string) {
  const [password, secret] = [randomNumber(16), newTotpSecret()];
  return {
    shown: { name, password, address: totpAddress(secret, name) } satisfies StaffCredentials,
    stored: [await hashPassword(password), keyring.encrypt(secret.toString('base64')), keyring.currentId],
  };
}

/** Throws StaffNameTaken. */
export async function addStaff({ db, keyring }: Keys, given: string, role: StaffRole): Promise<StaffCredentials> {
  const name = given.replace(/\s+/g, ' ').trim();
  const { shown, stored } = await newCredentials(keyring, name);
  await db.withTransaction(async (sql) => {
    const added = await sql.run(
      `insert into staff_people (name, name_key, role, password_hash, totp_cipher, totp_key) values ($1, $2, $3, $4, $5, $6)
       on conflict (name_key) do nothing`,
      [name, nameKey(name), role, ...stored],
    );
    if (!added) throw new ShopError(StaffErrorCode.StaffNameTaken);
    await addEntry(sql, { ...staffActor(), action: 'staff.add', subject: name, detail: { after: { role } } });
  });
  return shown;
}

/** A new password and a new authenticator secret; ends the person's sessions. undefined for an unknown name. */
export async function resetStaff({ db, keyring }: Keys, given: string): Promise<StaffCredentials | undefined> {
  const { shown, stored } = await newCredentials(keyring, given);
  return db.withTransaction(async (sql) => {
    const person = await sql.row<StaffPerson>(
      `update staff_people set password_hash = $2, totp_cipher = $3, totp_key = $4, totp_step = 0
        where name_key = $1 returning ${columns}`,
      [nameKey(given), ...stored],
    );
    if (!person) return undefined;
    await endStaffSessions(sql, person.id);
    await addEntry(sql, { ...staffActor(), action: 'staff.reset', subject: person.name });
    return shown;
  });
}

export interface StaffChange {
  role?: StaffRole;
  disabled?: boolean;
}

/** Ends the person's sessions. Throws LastManager. undefined for an unknown name. */
export async function changeStaff(
  { db }: Pick<AppContext, 'db'>,
  name: string,
  change: StaffChange,
): Promise<StaffPerson | undefined> {
  return db.withTransaction(async (sql) => {
    // All managers, so that two changes at once leave one.
    await sql.rows("select 1 from staff_people where role = 'manager' order by id for update");
    const before = await sql.row<StaffPerson>(`select ${columns} from staff_people where name_key = $1 for update`, [
      nameKey(name),
    ]);
    if (!before) return undefined;
    const after = await sql.one<StaffPerson>(
      `update staff_people set role = coalesce($2, role),
              disabled_at = case when $3 then coalesce(disabled_at, clock_timestamp()) when not $3 then null else disabled_at end
        where id = $1 returning ${columns}`,
      [before.id, change.role ?? null, change.disabled ?? null],
    );
    const wasManager = before.role === 'manager' && !before.disabled_at;
    if (wasManager && !(await sql.row("select 1 from staff_people where role = 'manager' and disabled_at is null")))
      throw new ShopError(StaffErrorCode.LastManager);
    await endStaffSessions(sql, after.id);
    const shown = ({ role, disabled_at }: StaffPerson) => ({ role, disabled: disabled_at !== null });
    await addEntry(sql, {
      ...staffActor(),
      action: 'staff.change',
      subject: after.name,
      detail: { before: shown(before), after: shown(after) },
    });
    return after;
  });
}

const endStaffSessions = (sql: Sql, staffId: number) =>
  sql.run('delete from staff_sessions where staff_id = $1', [staffId]);

/** Ends the person's other sessions. Throws TooManyRequests, StaffWrongPassword, StaffWeakPassword. */
export async function changeStaffPassword(
  { db }: Pick<AppContext, 'db'>,
  staff: { id: number; name: string; tokenHash: Buffer },
  { current, password }: { current: string; password: string },
): Promise<void> {
  await limitRate(db, `staff-password:${staff.id}`, PASSWORD_TRIES.most, PASSWORD_TRIES.seconds);
  const { stored } = await db.one<{ stored: string }>(
    'select password_hash as stored from staff_people where id = $1',
    [staff.id],
  );
  if (!(await matchesPassword(stored, current))) throw new ShopError(StaffErrorCode.StaffWrongPassword);
  const length = [...password].length;
  if (length < 12 || length > 64 || isCommon(password) || nameKey(password).includes(nameKey(staff.name)))
    throw new ShopError(StaffErrorCode.StaffWeakPassword);
  const hash = await hashPassword(password);
  await db.withTransaction(async (sql) => {
    const changed = await sql.run('update staff_people set password_hash = $2 where id = $1 and password_hash = $3', [
      staff.id,
      hash,
      stored,
    ]);
    if (!changed) throw new ShopError(StaffErrorCode.StaffWrongPassword);
    await sql.run('delete from staff_sessions where staff_id = $1 and token_hash <> $2', [staff.id, staff.tokenHash]);
    await addEntry(sql, { ...staffActor(), action: 'staff.password', subject: staff.name });
  });
}

/** For the sign-in of an unknown name, which takes the same time. */
export const decoySecret = randomBytes(20);
