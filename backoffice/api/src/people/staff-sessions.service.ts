import { matchesPassword } from '@shop/server/accounts/auth/passwords';
import type { AppContext } from '@shop/server/context';
import { type Actor, addEntry, sessionName } from '@shop/server/platform/audit/audit';
import { randomToken, sha256 } from '@shop/server/platform/crypto/tokens';
import { deleteRows } from '@shop/server/platform/db/batches';
import type { Database } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { networkOf } from '@shop/server/platform/http/networks';
import { limitNetwork, limitRate } from '@shop/server/platform/http/rate-limit';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { record } from './record';
import type { StaffRole } from './roles';
import { newTotpSecret, stepOfCode } from './totp';

/** One shift; then the user signs in again. */
export const SESSION_SECONDS = 8 * 3600;
/** Time without an action; automatic polling does not count. */
const IDLE_SECONDS = 30 * 60;
const SIGN_INS_OF_NETWORK = { name: 'staff-sign-in', most: 20, seconds: 900 };
/** Limit of one name from all networks: an attacker who knows the password needs about four months to guess a code. */
const SIGN_INS_OF_NAME = { most: 30, seconds: 900 };
/** A code counts as fresh for this time. */
const FRESH_SECONDS = 5 * 60;
const CODES_OF_USER = { most: 10, seconds: 900 };

export const cleanName = (name: string) => name.replace(/\s+/g, ' ').trim();

/** Names that look alike have the same key. */
export const nameKey = (name: string) => cleanName(name.normalize('NFKC')).toLowerCase();

/** The actor's name in the audit log. */
export const staffName = (name: string) => `${name} (staff)`;

export interface StaffViewer {
  id: number;
  name: string;
  role: StaffRole;
  tokenHash: Buffer;
  expiresAt: Date;
  hasFreshCode: boolean;
}

export const actorOf = ({ name, tokenHash }: Pick<StaffViewer, 'name' | 'tokenHash'>, address: string): Actor => ({
  actor: staffName(name),
  network: networkOf(address),
  session: sessionName(tokenHash),
});

/** Used for a sign-in without a secret, so that it takes the same time. */
const decoySecret = newTotpSecret();

export interface OpenedSession {
  /** The cookie's value; the database has only its SHA-256. */
  token: string;
  user: { name: string; role: StaffRole };
}

/** The caller has just checked a code of the authenticator app. */
export async function openSession(
  sql: Sql,
  { id: staffId, name, role }: Pick<StaffViewer, 'id' | 'name' | 'role'>,
  address: string,
): Promise<OpenedSession> {
  const token = randomToken();
  const tokenHash = sha256(token);
  await sql.run(
    `insert into staff_sessions (token_hash, staff_id, expires_at, code_at)
     values ($1, $2, clock_timestamp() + make_interval(secs => $3), clock_timestamp())`,
    [tokenHash, staffId, SESSION_SECONDS],
  );
  await addEntry(sql, { ...actorOf({ name, tokenHash }, address), action: 'session.open', subject: name });
  return { token, user: { name, role } };
}

/** Throws the same StaffSignInRefused, after the same time, whichever part was wrong. */
export async function signIn(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  { name, password, code, address }: Record<'name' | 'password' | 'code' | 'address', string>,
): Promise<OpenedSession> {
  await limitNetwork(db, { ...SIGN_INS_OF_NETWORK, address });
  await limitRate(db, `staff-sign-in:${nameKey(name)}`, SIGN_INS_OF_NAME.most, SIGN_INS_OF_NAME.seconds);
  const user = await db.row<{
    id: number;
    name: string;
    role: StaffRole;
    password_hash: string | null;
    totp_cipher: Buffer | null;
    totp_key: string | null;
    disabled_at: Date | null;
  }>('select * from staff_people where name_key = $1', [nameKey(name)]);
  const secret = user?.totp_key && user.totp_cipher ? keyring.decrypt(user.totp_key, user.totp_cipher) : decoySecret;
  const isRight = await matchesPassword(user?.password_hash, password);
  const step = stepOfCode(secret, code);
  const opened = await db.withTransaction(async (sql) => {
    if (!user || !isRight || user.disabled_at || step === undefined) return undefined;
    // The sign-in also fails if the user was disabled or got another password or secret since they were read.
    const used = await sql.run(
      `update staff_people set totp_step = $2
        where id = $1 and totp_step < $2 and password_hash = $3 and totp_cipher = $4 and disabled_at is null`,
      [user.id, step, user.password_hash, user.totp_cipher],
    );
    return used ? openSession(sql, user, address) : undefined;
  });
  if (opened) return opened;
  const by = !user ? 'name' : user.disabled_at ? 'disabled' : !isRight ? 'password' : 'code';
  const actor = { actor: 'staff', network: networkOf(address) };
  // An unknown name is not logged: it may be a password in the wrong field.
  await addEntry(db, { ...actor, action: 'session.refuse', subject: user?.name, detail: { by } });
  throw new ShopError(StaffErrorCode.StaffSignInRefused);
}

/** Resolves to undefined for an unknown, ended or idle session, and for a disabled user. */
export async function findStaff(sql: Sql, token: string, isAction: boolean): Promise<StaffViewer | undefined> {
  const session = await sql.row<StaffViewer & { stale: boolean }>(
    `select p.id, p.name, p.role, s.token_hash as "tokenHash", s.expires_at as "expiresAt",
            s.code_at > clock_timestamp() - make_interval(secs => ${FRESH_SECONDS}) as "hasFreshCode",
            s.seen_at < clock_timestamp() - interval '1 minute' as stale
       from staff_sessions s join staff_people p on p.id = s.staff_id
      where s.token_hash = $1 and p.disabled_at is null and s.expires_at > clock_timestamp()
        and s.seen_at > clock_timestamp() - make_interval(secs => ${IDLE_SECONDS})`,
    [sha256(token)],
  );
  if (!session) return undefined;
  const { stale, ...staff } = session;
  if (stale && isAction)
    await sql.run('update staff_sessions set seen_at = clock_timestamp() where token_hash = $1', [staff.tokenHash]);
  return staff;
}

/** Throws TooManyRequests, and StaffWrongCode for a wrong or used code. */
export async function proveCode(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  { id, name, tokenHash }: StaffViewer,
  code: string,
): Promise<void> {
  await limitRate(db, `staff-code:${id}`, CODES_OF_USER.most, CODES_OF_USER.seconds);
  const { totp_cipher, totp_key } = await db.one<{ totp_cipher: Buffer; totp_key: string }>(
    'select totp_cipher, totp_key from staff_people where id = $1',
    [id],
  );
  const step = stepOfCode(keyring.decrypt(totp_key, totp_cipher), code);
  const isProved = await db.withTransaction(async (sql) => {
    const used = await sql.run(
      'update staff_people set totp_step = $2 where id = $1 and totp_step < $2 and totp_cipher = $3',
      [id, step ?? 0, totp_cipher],
    );
    if (!used) return false;
    await sql.run('update staff_sessions set code_at = clock_timestamp() where token_hash = $1', [tokenHash]);
    await record(sql, { action: 'session.code', subject: name });
    return true;
  });
  if (isProved) return;
  await record(db, { action: 'session.refuse', subject: name, detail: { by: 'code' } });
  throw new ShopError(StaffErrorCode.StaffWrongCode);
}

export async function signOut(db: Database, { name, tokenHash }: StaffViewer): Promise<void> {
  await db.withTransaction(async (sql) => {
    await sql.run('delete from staff_sessions where token_hash = $1', [tokenHash]);
    await record(sql, { action: 'session.close', subject: name });
  });
}

export const forgetStaffSessions = (sql: Sql): Promise<number> =>
  deleteRows(sql, 'staff_sessions', 'expires_at < now() or seen_at < now() - make_interval(secs => $1)', [
    IDLE_SECONDS,
  ]);
