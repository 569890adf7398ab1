import { ErrorCode } from '@shop/shared/domain';
import { addEntry, shopper } from '../../platform/audit/audit';
import { randomToken, sha256 } from '../../platform/crypto/tokens';
import type { Database } from '../../platform/db/database';
import type { Sql } from '../../platform/db/sql';
import { ShopError } from '../../platform/http/errors';
import { networkOf } from '../../platform/http/networks';
import type { Viewer } from '../../platform/http/request';
import type { Sent } from '../../platform/http/schemas';
import { secondsOf } from '../retention/periods';
import type { Session } from './sessions.schemas';

const SESSION_SECONDS = secondsOf('session');
const MAX_SHOWN = 100;
/** How long a sign-in alone gives access to the codes that its session buys. */
export const FRESH_SECONDS = 15 * 60;

export interface SignedIn {
  token_type: string;
  access_token: string;
  /** Seconds. */
  expires_in: number;
  documentToken: string;
}

/** Length of the token prefix in documents; the other 35 characters cannot be guessed. */
const SHOWN_CHARACTERS = 8;

export interface Visitor {
  address: string;
  userAgent: string;
  device: Buffer | null;
  inviteCode?: string;
}

export type SignInProof = 'code' | 'password' | 'wechat';

/**
 * Opens a session. It may spend from the wallet without a further proof if a code was entered, now or earlier on this device, and
 * for an account without phone and email address, which has no other proof than its sign-in. After a code or a password it is
 * fresh for some minutes.
 */
export async function openSession(
  sql: Sql,
  account: { id: number; is_usable: number },
  { address, userAgent, device }: Visitor,
  proof: SignInProof,
): Promise<SignedIn> {
  const visitor = { ...shopper(address), userId: account.id };
  if (account.is_usable === 0) {
    await addEntry(sql, { ...visitor, action: 'session.refuse', detail: { by: 'disabled' } });
    throw new ShopError(ErrorCode.AccountDisabled);
  }
  // A sign-in withdraws the closure of the account. It throws WrongCredentials if the account was erased meanwhile.
  if (await sql.value<boolean>('select closure_withdraw($1)', [account.id]))
    await addEntry(sql, { ...visitor, action: 'account.close-withdrawn' });
  const token = randomToken();
  const documentToken = randomToken();
  const { browser, system } = deviceName(userAgent);
  await sql.run(
    `insert into sessions (token_hash, user_id, address, browser, system, device, proved_at, expires_at, fresh_until,
                           document_hash, token_start)
     select $1, u.id, $3, $4, $5, $6,
            case when $7 = 'code' or coalesce(u.phone, u.sign_in_email) is null or exists (select 1 from known_devices where user_id = u.id and device = $6)
                 then clock_timestamp() end,
            clock_timestamp() + make_interval(secs => $8),
            case when $7 <> 'wechat' or ${hasNoProof} then clock_timestamp() + make_interval(secs => $9) end, $10, $11
       from users u where u.id = $2`,
    [
      sha256(token),
      account.id,
      address,
      browser,
      system,
      device,
      proof,
      SESSION_SECONDS,
      FRESH_SECONDS,
      sha256(documentToken),
      token.slice(0, SHOWN_CHARACTERS),
    ],
  );
  if (proof === 'code') await rememberDevice(sql, sha256(token));
  await sql.run(
    `insert into known_addresses (user_id, address) values ($1, $2)
     on conflict (user_id, address) do update set seen_at = clock_timestamp()`,
    [account.id, networkOf(address)],
  );
  await addEntry(sql, { ...shopper(address, sha256(token)), action: 'session.open', userId: account.id });
  return { token_type: 'Bearer', access_token: token, expires_in: SESSION_SECONDS, documentToken };
}

const hasNoProof = '(coalesce(u.phone, u.sign_in_email, u.password_hash) is null)';

/**
 * Whether the sign-in of the viewer's session still shows the codes of the viewer's order, because the session placed it. An
 * account without phone, email address and password sees the codes of any of its orders.
 */
export async function showsCodesOf(sql: Sql, { tokenHash }: Viewer, orderNo: string): Promise<boolean> {
  const session = await sql.row(
    `select 1 from sessions s join users u on u.id = s.user_id
      where s.token_hash = $1 and s.fresh_until > clock_timestamp()
        and (${hasNoProof} or exists (select 1 from session_orders o where o.order_no = $2 and o.token_hash = s.token_hash))`,
    [tokenHash, orderNo],
  );
  return session !== undefined;
}

/** After a code, a sign-in by password on the session's device does not count as one on a new device. */
const rememberDevice = (sql: Sql, tokenHash: Buffer) =>
  sql.run(
    `insert into known_devices (user_id, device) select user_id, device from sessions where token_hash = $1 and device is not null
     on conflict (user_id, device) do update set proved_at = now()`,
    [tokenHash],
  );

export async function isOnNewDevice(sql: Sql, { tokenHash }: Viewer): Promise<boolean> {
  const session = await sql.row<{ proved_at: Date | null }>('select proved_at from sessions where token_hash = $1', [
    tokenHash,
  ]);
  if (!session) throw new ShopError(ErrorCode.Unauthorized);
  return session.proved_at === null;
}

export async function recordProof(sql: Sql, { tokenHash }: Viewer, byCode: boolean): Promise<void> {
  await sql.run("update sessions set proved_at = clock_timestamp(), spent = '{}' where token_hash = $1", [tokenHash]);
  if (byCode) await rememberDevice(sql, tokenHash);
}

export const closeSession = (db: Database, { id, tokenHash }: Viewer, address: string): Promise<void> =>
  db.withTransaction(async (sql) => {
    await sql.run('delete from sessions where token_hash = $1', [tokenHash]);
    await addEntry(sql, { ...shopper(address, tokenHash), action: 'session.close', userId: id });
  });

export const listSessions = (sql: Sql, viewer: Viewer, idleSeconds: number): Promise<Sent<Session>[]> =>
  sql.rows(
    `select id, browser, system, created_at, seen_at, token_hash = $2 as current from sessions
      where user_id = $1 and expires_at > clock_timestamp() and seen_at > clock_timestamp() - make_interval(secs => $3)
      order by current desc, seen_at desc, id limit ${MAX_SHOWN}`,
    [viewer.id, viewer.tokenHash, idleSeconds],
  );

/** Ends one session of the viewer; another user's session is not found. Returns the number of ended sessions. */
export function endSession(db: Database, viewer: Viewer, id: string, address: string): Promise<number> {
  return db.withTransaction(async (sql) => {
    const session = await sql.row<{ device: Buffer | null }>(
      'delete from sessions where user_id = $1 and id = $2 returning device',
      [viewer.id, id],
    );
    if (!session) return 0;
    await sql.run(
      `delete from known_devices where user_id = $1 and device = $2
          and device is distinct from (select device from sessions where token_hash = $3)`,
      [viewer.id, session.device, viewer.tokenHash],
    );
    await addEntry(sql, endEntry(viewer.id, 1, address, viewer.tokenHash));
    return 1;
  });
}

/** Ends all sessions of a user except `keep`, and forgets the devices of the others. Returns the number of ended sessions. */
export async function endOtherSessions(
  sql: Sql,
  { userId, keep, address }: { userId: number; keep?: Buffer; address: string },
): Promise<number> {
  const tokenHash = keep ?? Buffer.alloc(0);
  await sql.run(
    `delete from known_devices where user_id = $1
        and device is distinct from (select device from sessions where token_hash = $2)`,
    [userId, tokenHash],
  );
  const ended = await sql.run('delete from sessions where user_id = $1 and token_hash <> $2', [userId, tokenHash]);
  if (ended) await addEntry(sql, endEntry(userId, ended, address, keep));
  return ended;
}

const endEntry = (userId: number, ended: number, address: string, tokenHash?: Buffer) => ({
  ...shopper(address, tokenHash),
  action: 'session.end',
  userId,
  detail: { ended },
});

/** Order matters: in-app browsers and those built on Chromium also name Chrome and Safari. */
const browsers: Array<[pattern: RegExp, name: string]> = [
  [/MicroMessenger\//, 'WeChat'],
  [/AlipayClient\//, 'Alipay'],
  [/\bQQ\//, 'QQ'],
  [/MQQBrowser\//, 'QQ Browser'],
  [/UCBrowser\//, 'UC Browser'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: Array<[pattern: RegExp, name: string]> = [
  [/iPhone|iPod/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/HarmonyOS|OpenHarmony/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Browser and system of a User-Agent header from fixed lists, never text of the header; empty when unknown. */
export function deviceName(userAgent: string): { browser: string; system: string } {
  const nameIn = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? '';
  return { browser: nameIn(browsers), system: nameIn(systems) };
}
