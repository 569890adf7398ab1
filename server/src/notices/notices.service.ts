import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { randomNumber, seal, sha256, unseal } from '../platform/crypto/tokens';
import type { Sql } from '../platform/db/sql';
import { mailboxOf } from '../platform/emails/email';
import { fieldError, ShopError } from '../platform/http/errors';
import { fieldText } from '../platform/http/field-messages';
import { textOf } from '../platform/http/localised-text';
import { limitNetwork, limitRate } from '../platform/http/rate-limit';
import type { Viewer } from '../platform/http/request';
import type { Locale } from '../platform/http/schemas';
import { kindNames, kindOf, noticeKinds } from './notice-kinds';
import type { NoticeSettings, NoticeSettingsBody, PushSubscriptionBody } from './notices.schemas';

const DAY_SECONDS = 86_400;
const CONFIRMATIONS_PER_USER_AND_DAY = 5;
/** The limit counts all accounts, so that no one can fill someone else's mailbox. */
const CONFIRMATIONS_PER_ADDRESS_AND_DAY = 3;
const CONFIRMATIONS_PER_NETWORK_AND_HOUR = 20;
const CONFIRM_SECONDS = DAY_SECONDS;
/** A mail may be read long after it was sent. */
const STOP_SECONDS = 400 * DAY_SECONDS;
const MAX_BROWSERS = 10;
/** Lengths of a browser's keys (RFC 8291). */
const P256_POINT_BYTES = 65;
const AUTH_BYTES = 16;

interface SettingsRow {
  email: string;
  confirmed_email: string | null;
  locale: Locale | null;
  choices: Record<string, boolean> | null;
  browsers: number;
  here: boolean;
}

export async function noticeSettings(
  { db, providers: { mail, push } }: Pick<AppContext, 'db' | 'providers'>,
  viewer: Viewer,
  locale: Locale,
): Promise<NoticeSettings> {
  if (!mail && !push) return { mail: null, push: null, kinds: [], language: locale };
  const row = await db.one<SettingsRow>(
    `select u.email, s.confirmed_email, s.locale, s.choices,
            (select count(*) from push_subscriptions where user_id = u.id) as browsers,
            exists (select 1 from push_subscriptions where user_id = u.id and session_hash = $2) as here
       from users u left join notice_settings s on s.user_id = u.id where u.id = $1`,
    [viewer.id, viewer.tokenHash],
  );
  const chosen = (channel: string, kind: (typeof kindNames)[number]) => row.choices?.[`${channel}:${kind}`] ?? true;
  return {
    mail: mail ? { address: row.email, confirmed: row.email !== '' && row.email === row.confirmed_email } : null,
    push: push ? { key: push.publicKey, browsers: row.browsers, here: row.here } : null,
    kinds: kindNames.map((kind) => ({
      kind,
      title: textOf(noticeKinds[kind].title, locale),
      mail: Boolean(mail) && chosen('mail', kind),
      push: Boolean(push) && chosen('push', kind),
    })),
    language: row.locale ?? locale,
  };
}

export async function saveNoticeSettings(
  sql: Sql,
  userId: number,
  { choices = [], language }: NoticeSettingsBody,
  locale: Locale,
): Promise<void> {
  const changes = Object.fromEntries(
    choices.filter(({ kind }) => kindOf(kind)).map(({ kind, channel, on }) => [`${channel}:${kind}`, on]),
  );
  await sql.run(
    `insert into notice_settings as s (user_id, locale, choices) values ($1, $2, $3)
     on conflict (user_id) do update set locale = coalesce($4, s.locale), choices = s.choices || excluded.choices`,
    [userId, language ?? locale, JSON.stringify(changes), language ?? null],
  );
}

/**
 * Sends a mail with a confirmation link to the profile's address, through the outbox like any other. Throws InvalidInput without
 * an address and TooManyRequests.
 */
export async function sendConfirmation(
  { db, config }: AppContext,
  viewer: Viewer,
  locale: Locale,
  address: string,
): Promise<string> {
  const email = await db.value<string>('select email from users where id = $1', [viewer.id]);
  if (!email) throw fieldError({ email: fieldText('required', locale) });
  await limitNetwork(db, { name: 'confirm-email', address, most: CONFIRMATIONS_PER_NETWORK_AND_HOUR });
  await limitRate(db, `confirm-email:${viewer.id}`, CONFIRMATIONS_PER_USER_AND_DAY, DAY_SECONDS);
  const mailbox = sha256(mailboxOf(email.toLowerCase())).toString('hex').slice(0, 32);
  await limitRate(db, `confirm-email:to:${mailbox}`, CONFIRMATIONS_PER_ADDRESS_AND_DAY, DAY_SECONDS);
  await saveNoticeSettings(db, viewer.id, { language: locale }, locale);
  const token = seal(config.secret, 'confirm-email', { user: viewer.id, email }, CONFIRM_SECONDS);
  await db.run(`insert into notices (user_id, channel, kind, about, data) values ($1, 'mail', 'confirm', $2, $3)`, [
    viewer.id,
    randomNumber(),
    JSON.stringify({ email, token }),
  ]);
  return email;
}

/**
 * The user and address that a link confirms; undefined for a link that is forged, expired, or of an address that is no longer the
 * profile's.
 */
export async function confirmationOf(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  token: string,
): Promise<{ user: number; email: string } | undefined> {
  const claims = unseal<{ user: number; email: string }>(config.secret, 'confirm-email', token);
  if (!claims) return undefined;
  const isCurrent = await db.row('select 1 from users where id = $1 and email = $2', [claims.user, claims.email]);
  return isCurrent ? claims : undefined;
}

export async function confirmEmail(sql: Sql, { user, email }: { user: number; email: string }): Promise<void> {
  await sql.run(
    `insert into notice_settings (user_id, locale, confirmed_email) select id, 'zh-CN', email from users where id = $1 and email = $2
     on conflict (user_id) do update set confirmed_email = excluded.confirmed_email, since = clock_timestamp()`,
    [user, email],
  );
}

export const stopToken = (secret: string, user: number, kind: string): string =>
  seal(secret, 'stop-notices', { user, kind }, STOP_SECONDS);

export const stopOf = (secret: string, token: string) =>
  unseal<{ user: number; kind: string }>(secret, 'stop-notices', token);

export async function stopMails(sql: Sql, user: number, kinds: readonly string[]): Promise<void> {
  // An account that was erased meanwhile has no settings left to change.
  const choices = Object.fromEntries(kinds.map((kind) => [`mail:${kind}`, false]));
  await sql.run('update notice_settings set choices = choices || $2 where user_id = $1', [
    user,
    JSON.stringify(choices),
  ]);
}

/**
 * Subscribes the browser of this session. If another user subscribed it before, it is removed from theirs. Throws NotFound if the
 * shop sends no push messages, and InvalidInput for a browser that it cannot or must not call.
 */
export async function addBrowser(
  { db, providers: { push } }: AppContext,
  viewer: Viewer,
  { endpoint, p256dh, auth }: PushSubscriptionBody,
  locale: Locale,
): Promise<void> {
  if (!push) throw new ShopError(ErrorCode.NotFound);
  if (!push.serves(endpoint)) throw fieldError({ endpoint: fieldText('other', locale) });
  const bytesOf = (text: string) => Buffer.from(text, 'base64url').length;
  if (bytesOf(p256dh) !== P256_POINT_BYTES) throw fieldError({ p256dh: fieldText('other', locale) });
  if (bytesOf(auth) !== AUTH_BYTES) throw fieldError({ auth: fieldText('other', locale) });
  await db.withTransaction(async (sql) => {
    await saveNoticeSettings(sql, viewer.id, {}, locale);
    await sql.run('delete from push_subscriptions where session_hash = $1 and endpoint <> $2', [
      viewer.tokenHash,
      endpoint,
    ]);
    await sql.run(
      `insert into push_subscriptions (user_id, session_hash, endpoint, p256dh, auth) values ($1, $2, $3, $4, $5)
       on conflict (endpoint) do update set user_id = excluded.user_id, session_hash = excluded.session_hash, p256dh = excluded.p256dh,
         auth = excluded.auth, created_at = clock_timestamp()`,
      [viewer.id, viewer.tokenHash, endpoint, p256dh, auth],
    );
    await sql.run(
      `delete from push_subscriptions where user_id = $1 and id not in (
         select id from push_subscriptions where user_id = $1 order by created_at desc limit ${MAX_BROWSERS})`,
      [viewer.id],
    );
  });
}

export const removeBrowser = (sql: Sql, viewer: Viewer): Promise<number> =>
  sql.run('delete from push_subscriptions where user_id = $1 and session_hash = $2', [viewer.id, viewer.tokenHash]);
