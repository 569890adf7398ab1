import { ErrorCode, SUCCESS_CODE } from '@shop/shared/domain';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config';
import type { AppContext } from '../../context';
import { enterRefusal, type Prover } from '../../platform/audit/audit';
import { hmac, randomDigits } from '../../platform/crypto/tokens';
import { challengeFor, solvesChallenge } from '../../platform/http/challenge';
import { isErrorCode, ShopError, tooManyRequests } from '../../platform/http/errors';
import { hit, limitNetwork, networkLoad, secondsLeft } from '../../platform/http/rate-limit';
import type { Locale } from '../../platform/http/schemas';
import { type Mail, ProviderRefusal } from '../../providers/providers';
import { periodText, secondsOf } from '../retention/periods';
import type { CodePurpose } from './auth.schemas';
import type { Identifier } from './identifier';

export const CODE_SECONDS = secondsOf('code');
const PER_RECIPIENT_AND_DAY = 10;
/** Above this limit an IP prefix needs a solved challenge; above MAX_LOAD times the limit it is refused. */
const PER_NETWORK_AND_HOUR = 20;
const MAX_LOAD = 3;
/** From this share of the daily messages of the shop or a country on, every message needs a solved challenge. */
const CHALLENGE_FROM = 0.8;
const TRIES_PER_NETWORK_AND_HOUR = 60;
const DAY_SECONDS = 86_400;

const hashOf = (secret: string, purpose: CodePurpose, identifier: string, code: string) =>
  Buffer.from(hmac(`${secret}/code`, `${purpose}:${identifier}:${code}`));

/**
 * The daily budgets that a code counts towards. Mails have a separate one: they cost nothing, so anyone could use up the budget
 * of the phones.
 */
function budgetsOf(config: Config, identifier: Identifier): Array<{ budget: string; most: number }> {
  if (identifier.kind === 'email') return [{ budget: 'code:mail', most: config.codeMailsPerDay }];
  const ofShop = { budget: 'code:shop', most: config.smsPerDay };
  const { country } = identifier;
  return country === 'CN' ? [ofShop] : [ofShop, { budget: `code:${country}`, most: config.smsPerCountry }];
}

/**
 * Sends a new code for one purpose, which replaces the previous one. Limits count per phone or mailbox, per IP prefix, per country outside
 * the mainland (where fraudsters earn from messages to their own numbers) and for the whole shop, signed in or not. Throws SmsNotSent when
 * the provider sends nothing: a message that was certainly not sent is subtracted from the recipient's count, so that the shopper can ask
 * again at once; IP prefix and shop keep their counts, so that a failing provider is not called endlessly. Resolves with the used share of
 * the daily messages and its budget: the shop's, a country's or the mails.
 */
export async function sendCode(
  { db, config, providers }: AppContext,
  { identifier, purpose, locale }: { identifier: Identifier; purpose: CodePurpose; locale: Locale },
  visitor: Pick<FastifyRequest, 'ip' | 'headers'>,
): Promise<{ budgetUsed: number; budget: string }> {
  const code = randomDigits();
  const { value } = identifier;
  const recipient = identifier.kind === 'phone' ? value : identifier.mailbox;
  const stored = [value, purpose, hashOf(config.secret, purpose, value, code)];
  const isSolved = await solvesChallenge(db, config.secret, visitor);
  const send = await db.withTransaction(async (sql) => {
    await sql.one('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`code:${recipient}`]);
    const wait = await sql.value<number | null>(
      `select ceil(extract(epoch from greatest(
                max(at) filter (where purpose = $2) + make_interval(secs => $3),
                (array_agg(at order by at desc))[$4] + interval '1 day') - clock_timestamp()))::integer
         from code_sends where phone = $1 and at > clock_timestamp() - interval '1 day'`,
      [recipient, purpose, config.resendSeconds, PER_RECIPIENT_AND_DAY],
    );
    if (wait !== null && wait > 0) throw tooManyRequests(wait);
    const network = await networkLoad(sql, { name: 'code', address: visitor.ip, most: PER_NETWORK_AND_HOUR });
    let [used, budget] = [0, ''];
    for (const dailyBudget of budgetsOf(config, identifier)) {
      const share = (await hit(sql, dailyBudget.budget, DAY_SECONDS)) / dailyBudget.most;
      if (share > used) [used, budget] = [share, dailyBudget.budget];
    }
    // The transaction rolls back what was counted.
    if (network.load > MAX_LOAD || used > 1)
      throw tooManyRequests(await secondsLeft(sql, [used > 1 ? budget : network.key]));
    if (!isSolved && (network.load > 1 || used > CHALLENGE_FROM)) throw challengeFor(config.secret, visitor.ip);
    await sql.run(
      `insert into verification_codes (phone, purpose, code_hash, expires_at)
       values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
       on conflict (phone, purpose) do update set code_hash = excluded.code_hash, tries = 0, used = false, expires_at = excluded.expires_at`,
      [...stored, CODE_SECONDS],
    );
    const id = await sql.value<number>(
      'insert into code_sends (phone, address, purpose) values ($1, $2, $3) returning id',
      [recipient, visitor.ip, purpose],
    );
    return { id, budgetUsed: used, budget };
  });
  try {
    // The counts are committed before the provider is called: no transaction waits for it, and no message is sent uncounted.
    if (identifier.kind === 'phone') await providers.sms.sendCode(db, value, code);
    else {
      // The mail contains no user input, so that it cannot be used to send someone else's text.
      const texts = mailTexts[locale](code, periodText('code', locale));
      await providers.mail?.send(db, { to: value, locale, ...texts, messageId: `code.${send.id}` });
    }
  } catch (error) {
    if (error instanceof ProviderRefusal) {
      await db.run("update code_sends set phone = '' where id = $1", [send.id]);
      await db.run(
        'update verification_codes set used = true where phone = $1 and purpose = $2 and code_hash = $3',
        stored,
      );
    }
    throw new ShopError(ErrorCode.SmsNotSent, null, error);
  }
  return { budgetUsed: send.budgetUsed, budget: send.budget };
}

/**
 * Uses up a code that was sent for this purpose. Throws WrongVerificationCode, VerificationCodeExpired or VerificationCodeUsedUp,
 * also for an identifier that never had a code. Never call it in a transaction: a wrong try must count although an error follows.
 */
export async function useCode(
  { db, config }: AppContext,
  purpose: CodePurpose,
  { identifier, code, ...prover }: { identifier: string; code: string } & Prover,
): Promise<void> {
  await limitNetwork(db, { name: 'code-try', address: prover.address, most: TRIES_PER_NETWORK_AND_HOUR });
  const hash = hashOf(config.secret, purpose, identifier, code);
  const result = await db.value<number>('select code_try($1, $2, $3)', [identifier, purpose, hash]);
  if (result === SUCCESS_CODE || !isErrorCode(result)) return;
  await enterRefusal(db, { identifier, ...prover, by: 'code', purpose });
  throw new ShopError(result);
}

const mailTexts: Record<Locale, (code: string, period: string) => Pick<Mail, 'subject' | 'text'>> = {
  'zh-CN': (code, period) => ({
    subject: `验证码 ${code}`,
    text: `你的验证码是 ${code}，${period}内有效。\n\n请勿告诉他人，我们的工作人员不会向你索要。如果不是你本人操作，请忽略此邮件。\n`,
  }),
  en: (code, period) => ({
    subject: `${code} is your verification code`,
    text: `Your verification code is ${code}. It is valid for ${period}.\n\nDon’t share it: we never ask you for it. If you didn’t request a code, ignore this email.\n`,
  }),
};
