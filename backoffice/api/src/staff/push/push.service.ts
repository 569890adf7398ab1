import { randomBytes } from 'node:crypto';
import { isSecureCookie } from '@platform/pages/cookies';
import type { AppContext } from '@shop/server/context';
import type { PushSubscriptionBody } from '@shop/server/notices/notices.schemas';
import { checkBrowser } from '@shop/server/notices/notices.service';
import { sha256 } from '@shop/server/platform/crypto/tokens';
import { deleteRows } from '@shop/server/platform/db/batches';
import type { Sql } from '@shop/server/platform/db/sql';
import type { Locale } from '@shop/server/platform/http/schemas';
import type { FastifyRequest } from 'fastify';
import type { SignedCookies } from '../signed-cookies';
import type { StaffPush } from './push.schemas';

/** Names the browser: a session ends long before its pushes, so none of them can. */
const COOKIE = 'staff-push';
/** The longest that browsers keep one. */
const COOKIE_SECONDS = 400 * 86_400;
/** Without a sign-in of the person. */
const KEPT = '14 days';
const MOST_BROWSERS = 10;

/** Undefined for a browser that has never had pushes. */
export function browserOf(signed: SignedCookies, { headers }: Pick<FastifyRequest, 'headers'>): Buffer | undefined {
  const name = signed.read<string>(COOKIE, headers.cookie);
  return name === undefined ? undefined : sha256(name);
}

/** A name for the browser, and the cookie that keeps it. */
export function nameBrowser(signed: SignedCookies, request: FastifyRequest): { browser: Buffer; cookie: string } {
  const name = randomBytes(18).toString('base64url');
  const rest = `Path=/staff; HttpOnly; SameSite=Strict; Max-Age=${COOKIE_SECONDS}`;
  const cookie = signed.header(COOKIE, name, `${rest}${isSecureCookie(request) ? '; Secure' : ''}`);
  return { browser: sha256(name), cookie };
}

/** Asks nothing of the database where the shop sends no push, nor for a browser that has none. */
export async function readPush(
  { db, providers: { push } }: Pick<AppContext, 'db' | 'providers'>,
  staffId: number,
  browser: Buffer | undefined,
): Promise<StaffPush> {
  const found =
    push && browser
      ? await db.row<{ locale: Locale }>(
          'select locale from staff_push_subscriptions where staff_id = $1 and browser_hash = $2',
          [staffId, browser],
        )
      : undefined;
  return { key: push?.publicKey ?? null, here: found !== undefined, language: found?.locale ?? null };
}

/** This browser is told from now on; what told somebody else there tells them no longer. */
export async function addPush(
  { db, providers }: AppContext,
  staffId: number,
  browser: Buffer,
  subscription: PushSubscriptionBody,
  locale: Locale,
): Promise<void> {
  checkBrowser(providers, subscription, locale);
  const { endpoint, p256dh, auth } = subscription;
  await db.withTransaction(async (sql) => {
    await endPush(sql, browser);
    await sql.run(
      `insert into staff_push_subscriptions (staff_id, browser_hash, endpoint, p256dh, auth, locale) values ($1, $2, $3, $4, $5, $6)
       on conflict (endpoint) do update set staff_id = excluded.staff_id, browser_hash = excluded.browser_hash, p256dh = excluded.p256dh,
         auth = excluded.auth, locale = excluded.locale, created_at = excluded.created_at, signed_in_at = excluded.signed_in_at`,
      [staffId, browser, endpoint, p256dh, auth, locale],
    );
    await sql.run(
      `delete from staff_push_subscriptions where staff_id = $1 and id not in (
         select id from staff_push_subscriptions where staff_id = $1 order by id desc limit ${MOST_BROWSERS})`,
      [staffId],
    );
  });
}

/** Of this browser, whoever it tells. */
export const endPush = (sql: Sql, browser: Buffer): Promise<number> =>
  sql.run('delete from staff_push_subscriptions where browser_hash = $1', [browser]);

/** Of all the person's browsers, or all but one. */
export const endPushOf = (sql: Sql, staffId: number, but: Buffer | null = null): Promise<number> =>
  sql.run('delete from staff_push_subscriptions where staff_id = $1 and browser_hash is distinct from $2', [
    staffId,
    but,
  ]);

/** Of people who have not signed in for two weeks, as of `now`; the database's time by default. */
export const forgetPush = (sql: Sql, now: Date | null = null): Promise<number> =>
  deleteRows(sql, 'staff_push_subscriptions', `signed_in_at < coalesce($1, now()) - interval '${KEPT}'`, [now]);
