import { ErrorCode, SUCCESS_CODE } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { hmac, randomDigits } from '../crypto/tokens';
import type { Sql } from '../db/sql';
import { isErrorCode, ShopError } from '../http/errors';
import { limitRate } from '../http/rate-limit';
import { ProviderRefusal } from '../providers/providers';

export const CODE_SECONDS = 300;
const PER_PHONE_AND_DAY = 10;
const PER_ADDRESS_AND_HOUR = 20;
/** Bounds one address that tries codes of many phones. */
const TRIES_PER_ADDRESS_AND_HOUR = 60;

const hashOf = (secret: string, phone: string, code: string) => Buffer.from(hmac(`${secret}/code`, `${phone}:${code}`));

/**
 * Sends a new code, which replaces the previous one. Limits count per phone and per address, signed in or not. Throws SmsNotSent when
 * the provider sends nothing: a message that was certainly not sent is taken off the phone's count, so that the shopper can ask again
 * at once; the address keeps its count, so that a failing provider is not called without end.
 */
export async function sendCode({ db, config, providers }: AppContext, phone: string, address: string): Promise<void> {
  const code = randomDigits();
  const hash = hashOf(config.secret, phone, code);
  const send = await db.withTransaction(async (sql) => {
    // Locked in one order, phone before address, so that concurrent requests are counted one after the other.
    await sql.one('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`code:${phone}`]);
    await sql.one('select pg_advisory_xact_lock(hashtextextended($1, 2))', [`code:${address}`]);
    const sent = await sql.one<{ minute: number; day: number; address: number }>(
      `select count(*) filter (where phone = $1 and at > clock_timestamp() - make_interval(secs => $3)) as minute,
              count(*) filter (where phone = $1) as day,
              count(*) filter (where address = $2 and at > clock_timestamp() - interval '1 hour') as address
         from code_sends where (phone = $1 or address = $2) and at > clock_timestamp() - interval '1 day'`,
      [phone, address, config.resendSeconds],
    );
    if (sent.minute > 0 || sent.day >= PER_PHONE_AND_DAY || sent.address >= PER_ADDRESS_AND_HOUR)
      throw new ShopError(ErrorCode.TooManyRequests);
    await sql.run(
      `insert into verification_codes (phone, code_hash, expires_at)
       values ($1, $2, clock_timestamp() + make_interval(secs => $3))
       on conflict (phone) do update set code_hash = excluded.code_hash, tries = 0, used = false, expires_at = excluded.expires_at`,
      [phone, hash, CODE_SECONDS],
    );
    return sql.one<{ id: number }>('insert into code_sends (phone, address) values ($1, $2) returning id', [
      phone,
      address,
    ]);
  });
  try {
    // Committed before the provider is called: no transaction waits for it, and no message is sent uncounted.
    await providers.sms.sendCode(db, phone, code);
  } catch (error) {
    if (error instanceof ProviderRefusal) {
      await db.run("update code_sends set phone = '' where id = $1", [send.id]);
      await db.run('update verification_codes set used = true where phone = $1 and code_hash = $2', [phone, hash]);
    }
    throw new ShopError(ErrorCode.SmsNotSent, null, error);
  }
}

/**
 * Uses up a code. Throws WrongVerificationCode, VerificationCodeExpired or VerificationCodeUsedUp. Never call it in a transaction:
 * a wrong try must count although an error follows.
 */
export async function useCode({ db, config }: AppContext, phone: string, code: string, address: string): Promise<void> {
  await limitRate(db, `code-try:${address}`, TRIES_PER_ADDRESS_AND_HOUR, 3600);
  const { result } = await db.one<{ result: number }>('select code_try($1, $2) as result', [
    phone,
    hashOf(config.secret, phone, code),
  ]);
  if (result !== SUCCESS_CODE && isErrorCode(result)) throw new ShopError(result);
}

/** Deletes rows that no limit reads any more. */
export async function forgetCodes(sql: Sql): Promise<number> {
  const sends = await sql.run("delete from code_sends where at < now() - interval '2 days'");
  const letters = await sql.run("delete from dev_outbox where at < now() - interval '2 days'");
  return sends + letters;
}
