import { hashPassword } from '@shop/server/accounts/auth/passwords';
import type { AppContext } from '@shop/server/context';
import { addEntry } from '@shop/server/platform/audit/audit';
import { randomToken, sha256 } from '@shop/server/platform/crypto/tokens';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { limitNetwork } from '@shop/server/platform/http/rate-limit';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { StaffRole } from './roles';
import { checkStaffPassword } from './staff-passwords';
import { actorOf, cleanName, nameKey, type OpenedSession, openSession } from './staff-sessions.service';
import { newTotpSecret, stepOfCode, totpAddress } from './totp';

const HOURS = 24;
const TRIES_OF_NETWORK = { name: 'staff-setup', most: 40, seconds: 900 };

type Keys = Pick<AppContext, 'db' | 'keyring'>;

/** An invitation is for one user and works once. The token is in the fragment, which browsers send to no server. */
export const invitationAddress = (origin: string, { token }: { token: string }) => `${origin}/staff/setup#${token}`;

/** Invites a staff member, or with `staffId` null a new manager. Ends the previous invitation. */
export async function invite(
  sql: Sql,
  keyring: AppContext['keyring'],
  { staffId = null, isFirst = false }: { staffId?: number | null; isFirst?: boolean },
) {
  const token = randomToken();
  const secret = keyring.encrypt(newTotpSecret());
  const expires_at = await sql.value<Date>(
    `insert into staff_invitations (token_hash, staff_id, is_first, totp_cipher, totp_key, expires_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(hours => ${HOURS}))
     on conflict (${staffId === null ? 'is_first) where staff_id is null' : 'staff_id)'} do update
       set token_hash = excluded.token_hash, totp_cipher = excluded.totp_cipher, totp_key = excluded.totp_key,
           expires_at = excluded.expires_at
     returning expires_at`,
    [sha256(token), staffId, isFirst, secret, keyring.currentId],
  );
  return { token, expires_at };
}

/** For the first manager; undefined once a staff member exists. */
export async function inviteFirst({ db, keyring }: Keys) {
  if (await db.row('select 1 from staff_people limit 1')) return undefined;
  return invite(db, keyring, { isFirst: true });
}

/** Throws the same StaffInvitationRefused for an unknown, used, replaced or expired token, and for a disabled user. */
async function findInvited(sql: Sql, keyring: AppContext['keyring'], token: string, lock = '') {
  const row = await sql.row<{
    staff_id: number | null;
    /** null for a new manager, who chooses the name. */
    name: string | null;
    role: StaffRole;
    totp_cipher: Buffer;
    totp_key: string;
  }>(
    `select i.staff_id, i.totp_cipher, i.totp_key, p.name, coalesce(p.role, 'manager') as role
       from staff_invitations i left join staff_people p on p.id = i.staff_id
      where i.token_hash = $1 and i.expires_at > clock_timestamp() and p.disabled_at is null
        and not (i.is_first and exists (select 1 from staff_people)) ${lock}`,
    [sha256(token)],
  );
  if (!row) throw new ShopError(StaffErrorCode.StaffInvitationRefused);
  const { totp_cipher, totp_key, ...invited } = row;
  return { ...invited, secret: keyring.decrypt(totp_key, totp_cipher) };
}

/** Throws TooManyRequests, StaffInvitationRefused. */
export async function readInvitation({ db, keyring }: Keys, token: string, address: string) {
  await limitNetwork(db, { ...TRIES_OF_NETWORK, address });
  const { name, role } = await findInvited(db, keyring, token);
  return { name, role };
}

interface Choice {
  token: string;
  name?: string;
  password: string;
  address: string;
}

async function checkChoice({ db, keyring }: Keys, { token, name = '', password, address }: Choice) {
  await limitNetwork(db, { ...TRIES_OF_NETWORK, address });
  const invited = await findInvited(db, keyring, token);
  const chosen = invited.name ?? cleanName(name);
  if (!chosen) throw new ShopError(ErrorCode.InvalidInput);
  if (!invited.name && (await db.row('select 1 from staff_people where name_key = $1', [nameKey(chosen)])))
    throw new ShopError(StaffErrorCode.StaffNameTaken);
  await checkStaffPassword(password, chosen);
  return { name: chosen, secret: invited.secret };
}

/**
 * Returns the address for the authenticator app. Throws TooManyRequests, StaffInvitationRefused, StaffNameTaken,
 * StaffWeakPassword: the user learns of a bad name or password before scanning the code.
 */
export async function authenticatorAddress(keys: Keys, choice: Choice): Promise<string> {
  const { secret, name } = await checkChoice(keys, choice);
  return totpAddress(secret, name);
}

/** Adds a staff member without a password, and returns the id. Throws StaffNameTaken. */
export async function insertStaff(sql: Sql, name: string, role: StaffRole): Promise<number> {
  const staff = await sql.row<{ id: number }>(
    'insert into staff_people (name, name_key, role) values ($1, $2, $3) on conflict (name_key) do nothing returning id',
    [name, nameKey(name), role],
  );
  if (!staff) throw new ShopError(StaffErrorCode.StaffNameTaken);
  return staff.id;
}

/** Consumes the invitation and signs in. Throws the errors of authenticatorAddress, and StaffWrongCode. */
export async function acceptInvitation(keys: Keys, choice: Choice & { code: string }): Promise<OpenedSession> {
  const { name, secret } = await checkChoice(keys, choice);
  const step = stepOfCode(secret, choice.code);
  if (step === undefined) throw new ShopError(StaffErrorCode.StaffWrongCode);
  const { db, keyring } = keys;
  const password = await hashPassword(choice.password);
  return db.withTransaction(async (sql) => {
    // The lock makes the invitation single use: the second of two requests at once finds none. The same holds for a user who was
    // disabled or invited again meanwhile.
    const { staff_id } = await findInvited(sql, keyring, choice.token, 'for update of i');
    const id = staff_id ?? (await insertStaff(sql, name, 'manager'));
    const role = await sql.value<StaffRole>(
      `update staff_people set password_hash = $2, totp_cipher = $3, totp_key = $4, totp_step = $5
        where id = $1 returning role`,
      [id, password, keyring.encrypt(secret), keyring.currentId, step],
    );
    await sql.run('delete from staff_invitations where token_hash = $1 or is_first', [sha256(choice.token)]);
    const opened = await openSession(sql, { id, name, role }, choice.address);
    const action = staff_id === null ? { action: 'staff.add', detail: { after: { role } } } : { action: 'staff.setup' };
    const actor = actorOf({ name, tokenHash: sha256(opened.token) }, choice.address);
    await addEntry(sql, { ...actor, subject: name, ...action });
    return opened;
  });
}

export const forgetInvitations = (sql: Sql): Promise<number> =>
  sql.run('delete from staff_invitations where expires_at < now()');
