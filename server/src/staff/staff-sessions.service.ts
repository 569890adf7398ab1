import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { matchesPassword } from '../accounts/auth/passwords';
import type { AppContext } from '../context';
import { type Actor, addEntry, sessionName } from '../platform/audit/audit';
import { randomToken, sha256 } from '../platform/crypto/tokens';
import { deleteRows } from '../platform/db/batches';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import { networkOf } from '../platform/http/networks';
import { limitNetwork, limitRate } from '../platform/http/rate-limit';
import { nameKey, staffName } from './names';
import type { StaffRole } from './roles';
import { newTotpSecret, stepOfCode } from './totp';

/** A shift, after which one signs in again. */
const SESSION_SECONDS = 12 * 3600;
/** Without an act; what the page asks by itself does not count. */
const IDLE_SECONDS = 30 * 60;
const SIGN_INS_OF_NETWORK = { name: 'staff-sign-in', most: 20, seconds: 900 };
/** Of one name from all networks: for who knows the password, a right code by guessing takes about four months. */
const SIGN_INS_OF_NAME = { most: 30, seconds: 900 };

/** Who is signed in at /staff. */
export interface StaffViewer {
  id: number;
  name: string;
  role: StaffRole;
  tokenHash: Buffer;
}

export const actorOf = ({ name, tokenHash }: Pick<StaffViewer, 'name' | 'tokenHash'>, address: string): Actor => ({
  actor: staffName(name),
  network: networkOf(address),
  session: sessionName(tokenHash),
});

/** For the sign-in of who has none, which takes the same time. */
const decoySecret = newTotpSecret();

export interface OpenedSession {
  token: string;
  staff: StaffViewer;
  seconds: number;
}

/** On record. */
export async function openSession(
  sql: Sql,
  person: Pick<StaffViewer, 'id' | 'name' | 'role'>,
  address: string,
): Promise<OpenedSession> {
  const token = randomToken();
  const { id, name, role } = person;
  const staff = { id, name, role, tokenHash: sha256(token) };
  await sql.run(
    `insert into staff_sessions (token_hash, staff_id, expires_at)
     values ($1, $2, clock_timestamp() + make_interval(secs => $3))`,
    [staff.tokenHash, staff.id, SESSION_SECONDS],
  );
  await addEntry(sql, { ...actorOf(staff, address), action: 'session.open', subject: staff.name });
  return { token, staff, seconds: SESSION_SECONDS };
}

interface Credentials {
  name: string;
  password: string;
  /** Of the authenticator app. */
  code: string;
  address: string;
}

/** Answers the token of a new session. Throws StaffSignInRefused, alike and after the same time whatever was wrong. */
export async function signIn(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  { name, password, code, address }: Credentials,
): Promise<OpenedSession> {
  await limitNetwork(db, { ...SIGN_INS_OF_NETWORK, address });
  await limitRate(db, `staff-sign-in:${nameKey(name)}`, SIGN_INS_OF_NAME.most, SIGN_INS_OF_NAME.seconds);
  const known = await db.row<{
    id: number;
    name: string;
    role: StaffRole;
    password_hash: string | null;
    totp_cipher: Buffer | null;
    totp_key: string | null;
    disabled_at: Date | null;
  }>('select * from staff_people where name_key = $1', [nameKey(name)]);
  const secret =
    known?.totp_key && known.totp_cipher
      ? Buffer.from(keyring.decrypt(known.totp_key, known.totp_cipher), 'base64')
      : decoySecret;
  const isRight = await matchesPassword(known?.password_hash, password);
  const step = stepOfCode(secret, code);
  return db
    .withTransaction(async (sql) => {
      if (!known || !isRight || known.disabled_at || step === undefined) return undefined;
      // Nor when the person was disabled, or got another password or secret, since they were read.
      const used = await sql.run(
        `update staff_people set totp_step = $2
          where id = $1 and totp_step < $2 and password_hash = $3 and totp_cipher = $4 and disabled_at is null`,
        [known.id, step, known.password_hash, known.totp_cipher],
      );
      if (!used) return undefined;
      return openSession(sql, known, address);
    })
    .then(async (opened) => {
      if (opened) return opened;
      const why = !known ? 'name' : known.disabled_at ? 'disabled' : !isRight ? 'password' : 'code';
      // A name that nobody has may be a password in the wrong field.
      await addEntry(db, {
        actor: 'staff',
        network: networkOf(address),
        action: 'session.refuse',
        subject: known?.name ?? '',
        detail: { by: why },
      });
      throw new ShopError(StaffErrorCode.StaffSignInRefused);
    });
}

/** undefined for an unknown token, a session that has ended or was idle, and somebody who was disabled. */
export async function findStaff(sql: Sql, token: string, isAct: boolean): Promise<StaffViewer | undefined> {
  const found = await sql.row<StaffViewer & { stale: boolean }>(
    `select p.id, p.name, p.role, s.token_hash as "tokenHash", s.seen_at < clock_timestamp() - interval '1 minute' as stale
       from staff_sessions s join staff_people p on p.id = s.staff_id
      where s.token_hash = $1 and p.disabled_at is null and s.expires_at > clock_timestamp()
        and s.seen_at > clock_timestamp() - make_interval(secs => ${IDLE_SECONDS})`,
    [sha256(token)],
  );
  if (!found) return undefined;
  const { stale, ...staff } = found;
  if (stale && isAct)
    await sql.run('update staff_sessions set seen_at = clock_timestamp() where token_hash = $1', [staff.tokenHash]);
  return staff;
}

export async function signOut({ db }: Pick<AppContext, 'db'>, staff: StaffViewer, address: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    await sql.run('delete from staff_sessions where token_hash = $1', [staff.tokenHash]);
    await addEntry(sql, { ...actorOf(staff, address), action: 'session.close', subject: staff.name });
  });
}

export const forgetStaffSessions = (sql: Sql, now: Date | null = null): Promise<number> =>
  deleteRows(
    sql,
    'staff_sessions',
    'expires_at < coalesce($1, now()) or seen_at < coalesce($1, now()) - make_interval(secs => $2)',
    [now, IDLE_SECONDS],
  );
