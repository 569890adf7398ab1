import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../../context';
import { addEntry, enterRefusal, type RefusedProof, shopper } from '../../platform/audit/audit';
import { randomNumber } from '../../platform/crypto/tokens';
import type { Database } from '../../platform/db/database';
import type { Sql } from '../../platform/db/sql';
import { fieldError, ShopError, tooManyRequests } from '../../platform/http/errors';
import { fieldText } from '../../platform/http/field-messages';
import { networkOf, networksOf } from '../../platform/http/networks';
import { hit, secondsLeft } from '../../platform/http/rate-limit';
import type { Viewer } from '../../platform/http/request';
import type { Locale } from '../../platform/http/schemas';
import { bindInvitation, inviterOf, limitInviteCodes } from '../invitations/invitations.service';
import { endOtherSessions, openSession, type SignedIn, type Visitor } from '../sessions/sessions.service';
import type { CodePurpose, LoginBody, RegisterBody, SetPasswordBody } from './auth.schemas';
import { useCode } from './codes.service';
import { columnOf, type Identifier, identifierFor, identifierOf, readIdentifier } from './identifier';
import { hashPassword, isStrong, matchesPassword } from './passwords';

const GUESS_WINDOW_SECONDS = 15 * 60;
const GUESSES_PER_ACCOUNT_AND_NETWORK = 5;
const GUESSES_PER_NETWORK = 100;
/** Limits guessing from many addresses. It does not apply to addresses from which the owner has signed in before. */
const GUESSES_PER_ACCOUNT = 30;

interface Account {
  id: number;
  phone: string | null;
  sign_in_email: string | null;
  password_hash: string | null;
  is_usable: number;
}
const accountColumns = 'id, phone, sign_in_email, password_hash, is_usable';

export async function login(context: AppContext, body: LoginBody, visitor: Visitor, locale: Locale): Promise<SignedIn> {
  const identifier = readIdentifier(body, locale);
  const account =
    body.login_type === 'password'
      ? await byPassword(context, identifier, required('password', body.password, locale), visitor.address)
      : await byCode(context, identifier, required('verify', body.verify, locale), visitor, locale);
  return openSession(context.db, account, visitor, body.login_type === 'verify' ? 'code' : 'password');
}

export async function register(
  context: AppContext,
  body: RegisterBody,
  visitor: Visitor,
  locale: Locale,
): Promise<SignedIn> {
  const { password, verify } = body;
  const inviteCode = body.invite_code?.trim();
  const identifier = identifierFor(context, body, locale);
  if (!isStrong(password)) throw new ShopError(ErrorCode.WeakPassword);
  if (inviteCode) {
    await limitInviteCodes(context.db, visitor.address);
    if (!(await inviterOf(context.db, inviteCode))) throw new ShopError(ErrorCode.UnknownInviteCode);
  }
  await useCode(context, 'login', { identifier: identifier.value, code: verify, address: visitor.address });
  const user = { ...asNewUser(identifier), locale, passwordHash: await hashPassword(password) };
  const invited = { ...visitor, inviteCode: inviteCode || visitor.inviteCode };
  const account = await createInvitedUser(context.db, user, invited);
  if (!account) throw new ShopError(ErrorCode.PhoneAlreadyRegistered);
  return openSession(context.db, account, visitor, 'code');
}

export async function setPassword(
  context: AppContext,
  viewer: Viewer | undefined,
  body: SetPasswordBody,
  address: string,
  locale: Locale,
): Promise<void> {
  const { password, old_password, verify } = body;
  if (!isStrong(password)) throw new ShopError(ErrorCode.WeakPassword);
  let account: Account | undefined;
  if (viewer) {
    const missing = () => fieldError({ old_password: fieldText('required', locale) });
    account = await confirmUser(context, viewer, 'password', { verify, password: old_password }, address, missing);
  } else {
    const identifier = readIdentifier(body, locale);
    const code = required('verify', verify, locale);
    await useCode(context, 'password', { identifier: identifier.value, code, address });
    account = await accountOf(context.db, identifier);
    // The error reveals that there is no account, but only to the owner of the phone or address: the code has proved it.
    if (!account) throw new ShopError(ErrorCode.WrongCredentials);
  }
  const { id } = account;
  const passwordHash = await hashPassword(password);
  await context.db.withTransaction(async (sql) => {
    await sql.run('update users set password_hash = $2 where id = $1', [id, passwordHash]);
    await endOtherSessions(sql, { userId: id, keep: viewer?.tokenHash, address });
    await addEntry(sql, { ...shopper(address, viewer?.tokenHash), action: 'password.set', userId: id });
  });
}

/** Verifies the signed-in user again, by password or a code for this purpose. Throws VerificationRequired without either. */
export async function confirmUser(
  context: AppContext,
  { id, tokenHash }: Viewer,
  purpose: CodePurpose,
  { password, verify }: { password?: string; verify?: string },
  address: string,
  missing = () => new ShopError(ErrorCode.VerificationRequired),
): Promise<Account> {
  const account = await context.db.one<Account>(`select ${accountColumns} from users where id = $1`, [id]);
  const identifier = identifierOf(account) ?? undefined;
  const prover = { userId: id, tokenHash, address };
  if (verify && identifier) await useCode(context, purpose, { identifier, code: verify, ...prover });
  else if (password) await guess(context.db, account, password, { identifier, ...prover, purpose: 'confirm' });
  else throw missing();
  return account;
}

interface NewUser {
  phone?: string;
  signInEmail?: string;
  openid?: string;
  unionid?: string;
  passwordHash?: string;
  nickname?: string;
  locale?: Locale;
}
/** Returns undefined if the phone, address or openid already has an account. */
export function createUser(sql: Sql, user: NewUser): Promise<Account | undefined> {
  const inviteCode = randomNumber(8);
  const { phone = null, signInEmail = null, openid = null, unionid = null, passwordHash = null } = user;
  // Others may see the name, so it contains nothing of an email address.
  const digits = phone?.slice(-4) ?? inviteCode.slice(0, 4);
  const nickname = user.nickname ?? (user.locale === 'en' ? `Player ${digits}` : `玩家${digits}`);
  return sql.row<Account>(
    `insert into users (phone, sign_in_email, openid, unionid, password_hash, nickname, invite_code)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning ${accountColumns}`,
    [phone, signInEmail, openid, unionid, passwordHash, nickname, inviteCode],
  );
}

export async function createInvitedUser(
  db: Database,
  user: NewUser,
  { inviteCode, address, device }: Visitor,
): Promise<Account | undefined> {
  const inviter = inviteCode ? await inviterOf(db, inviteCode) : undefined;
  if (!inviter) return createUser(db, user);
  return db.withTransaction(async (sql) => {
    const account = await createUser(sql, user);
    if (account) await bindInvitation(sql, { inviteeId: account.id, inviterId: inviter.id, address, device });
    return account;
  });
}

const asNewUser = ({ kind, value }: Identifier): Pick<NewUser, 'phone' | 'signInEmail'> =>
  kind === 'phone' ? { phone: value } : { signInEmail: value };

const accountOf = (sql: Sql, identifier: Identifier) =>
  sql.row<Account>(`select ${accountColumns} from users where ${columnOf(identifier)} = $1`, [identifier.value]);

/** A code proves the phone or address, so the first sign-in with one creates the account. */
async function byCode(
  context: AppContext,
  identifier: Identifier,
  code: string,
  visitor: Visitor,
  locale: Locale,
): Promise<Account> {
  await useCode(context, 'login', { identifier: identifier.value, code, address: visitor.address });
  const account =
    (await accountOf(context.db, identifier)) ??
    (await createInvitedUser(context.db, { ...asNewUser(identifier), locale }, visitor)) ??
    (await accountOf(context.db, identifier));
  if (!account) throw new Error('the account was neither found nor created');
  return account;
}

async function byPassword(
  context: AppContext,
  identifier: Identifier,
  password: string,
  address: string,
): Promise<Account> {
  const account = await accountOf(context.db, identifier);
  await guess(context.db, account, password, { identifier: identifier.value, address, purpose: 'login' });
  return account as Account;
}

/**
 * Counts before comparing, so that concurrent guesses are bounded too; a correct guess is subtracted again. For a sign-in `refused`
 * has no account, because an account lookup would reveal whether there is one.
 */
async function guess(
  sql: Sql,
  account: Account | undefined,
  password: string,
  refused: Omit<RefusedProof, 'by'>,
): Promise<void> {
  const who = refused.identifier ?? `#${account?.id}`;
  const network = networkOf(refused.address);
  const knownNetwork = await sql.row('select 1 from known_addresses where user_id = $1 and address = $2', [
    account?.id ?? 0,
    network,
  ]);
  const bounds: Array<[key: string, most: number]> = [
    [`guess:${who}:${network}`, GUESSES_PER_ACCOUNT_AND_NETWORK],
    ...networksOf(refused.address).map(({ block, factor }): [string, number] => [
      `guess:${block}`,
      GUESSES_PER_NETWORK * factor,
    ]),
    // Guesses are counted for the owner too: fewer statements would reveal that the account exists and uses this IP prefix.
    knownNetwork ? [`guess:${who}:owner`, Number.POSITIVE_INFINITY] : [`guess:${who}`, GUESSES_PER_ACCOUNT],
  ];
  for (const [key, most] of bounds) {
    if ((await hit(sql, key, GUESS_WINDOW_SECONDS)) > most) throw tooManyRequests(await secondsLeft(sql, [key]));
  }
  if (!(await matchesPassword(account?.password_hash, password))) {
    await enterRefusal(sql, { ...refused, by: 'password' });
    throw new ShopError(ErrorCode.WrongCredentials);
  }
  await sql.run('update rate_limits set hits = greatest(hits - 1, 0) where key = any($1)', [
    bounds.map(([key]) => key),
  ]);
}

function required(field: string, value: string | undefined, locale: Locale): string {
  if (!value) throw fieldError({ [field]: fieldText('required', locale) });
  return value;
}
