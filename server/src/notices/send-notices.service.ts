import { postWebhook } from '@platform/watch';
import type { AppContext } from '../context';
import type { Sql } from '../platform/db/sql';
import { type Texts, textOf } from '../platform/http/localised-text';
import { toWire } from '../platform/http/money';
import type { Locale } from '../platform/http/schemas';
import { type Channel, type Mail, MailRefusal } from '../providers/providers';
import type { PushReceiver } from '../providers/web-push';
import { chatsOf } from './collect-notices.service';
import { kindOf, type NoticeData } from './notice-kinds';
import { stopToken } from './notices.service';
import { type StaffNotice, type StaffNoticeData, staffText } from './staff-texts';

const BATCH = 20;
const WORKERS = 5;
/** A whole batch takes less time, even if every receiver is silent. After that, another server takes the notices that this one has left. */
const CLAIMED_FOR = '10 minutes';
/** Minutes before each retry; about a day in total. */
const PAUSES = [1, 5, 15, 60, 180, 360, 720];
/** Limit per user and day; further notices appear in the shop only. */
export const MAX_PER_DAY: Record<Channel, number> = { mail: 10, push: 20 };

const WEBHOOK_TIMEOUT_MS = 5_000;

interface Claimed {
  id: number;
  user_id: number | null;
  channel: Channel | 'webhook';
  kind: string;
  data: NoticeData & StaffNoticeData & { email?: string; token?: string };
  tries: number;
}
interface Receiver {
  /** The confirmed address; '' for none. */
  email: string;
  is_usable: number;
  locale: Locale;
  choices: Record<string, boolean>;
  earlier: number;
}
type Outcome = 'sent' | { dropped: string };

/**
 * Sends due notices, each at least once. A repetition happens only if a server or connection fails between the receiver's answer
 * and its record; it has the same id, by which mail systems and browsers recognise it. Throws the last error after all were
 * tried, so that the job reports it.
 */
export async function sendNotices(context: AppContext): Promise<number> {
  const { db, config, providers } = context;
  if (!providers.mail && !providers.push && config.staffNotices.webhooks.urls.length === 0) return 0;
  const due = await db.rows<Claimed>(
    `update notices set tries = tries + 1, due_at = clock_timestamp() + interval '${CLAIMED_FOR}' where id = any(array(
       select id from notices where state = 'waiting' and channel <> 'chat' and due_at <= clock_timestamp()
        order by due_at limit ${BATCH} for update skip locked))
     returning id, user_id, channel, kind, data, tries`,
  );
  if (due.length === 0) return 0;
  const brand = await brandOf(db);
  let fault: unknown;
  let sent = 0;
  const queue = due.sort((left, right) => left.id - right.id);
  const work = async () => {
    for (let notice = queue.shift(); notice; notice = queue.shift()) {
      try {
        const outcome = await send(context, notice, brand);
        if (outcome === 'sent') sent += 1;
        await endNotice(db, notice, outcome);
      } catch (error) {
        fault = error;
        const detail = String((error as Error).message);
        if (error instanceof MailRefusal && error.isFinal) await endNotice(db, notice, { dropped: detail });
        else await putOff(db, notice, detail);
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  if (fault) throw fault;
  return sent;
}

export async function endNotice(sql: Sql, { id }: Pick<Claimed, 'id'>, outcome: Outcome): Promise<void> {
  // The confirmation token is a key, so it is deleted once no mail needs it.
  await sql.run(
    `update notices set state = $2, detail = $3, ended_at = clock_timestamp(), data = data - 'token' where id = $1 and state = 'waiting'`,
    [id, outcome === 'sent' ? 'sent' : 'dropped', outcome === 'sent' ? '' : outcome.dropped.slice(0, 300)],
  );
}

/** The notice is due again after its next pause, or at least `atLeast` seconds; after the last pause it is dropped. */
export async function putOff(sql: Sql, { id, tries }: Pick<Claimed, 'id' | 'tries'>, detail: string, atLeast = 0) {
  const pause = PAUSES[tries - 1];
  if (pause === undefined) return endNotice(sql, { id }, { dropped: detail });
  await sql.run(
    `update notices set due_at = clock_timestamp() + make_interval(secs => $2), detail = $3 where id = $1`,
    [id, Math.max(60 * pause, atLeast), detail.slice(0, 300)],
  );
}

async function send(context: AppContext, notice: Claimed, brand: Texts): Promise<Outcome> {
  if (notice.user_id === null) return sendToStaff(context, notice);
  if (notice.kind === 'confirm') return sendConfirmation(context, notice, brand);
  const kind = kindOf(notice.kind);
  const receiver = await receiverOf(context.db, notice);
  // Both may have changed since the notice was created.
  if (!kind || !receiver || receiver.is_usable !== 1) return { dropped: 'no receiver' };
  if (receiver.choices[`${notice.channel}:${notice.kind}`] === false) return { dropped: 'not wanted' };
  const channel = notice.channel as Channel;
  if (receiver.earlier >= MAX_PER_DAY[channel]) return { dropped: 'too many in a day' };
  const { locale } = receiver;
  const line = kind.line(notice.data, locale);
  const path = kind.path(notice.data);
  if (channel === 'push') {
    // The same tag replaces a repetition on the screen, if one of several browsers got it before.
    const message = { title: textOf(brand, locale), body: line, path, locale, tag: `notice-${notice.id}` };
    return sendPush(context, notice.user_id, message);
  }
  if (!receiver.email) return { dropped: 'no confirmed address' };
  const { publicUrl } = context.config.providers;
  const stop = `${publicUrl}/api/front/notices/stop?token=${stopToken(context.config.secret, notice.user_id, notice.kind)}`;
  const shop = textOf(brand, locale);
  const title = textOf(kind.title, locale);
  const text =
    locale === 'en'
      ? `${line}.\n\nSee it in the shop:\n${publicUrl}${path}\n\n--\nYou get this email because "${title}" is on in your notice settings at ${shop}. To end these emails, open:\n${stop}`
      : `${line}。\n\n在商城中查看：\n${publicUrl}${path}\n\n--\n你在${shop}的通知设置中开启了“${title}”，因此收到此邮件。如不想再收到，请打开：\n${stop}`;
  return sendMail(context, notice, { to: receiver.email, locale, subject: line, text, unsubscribe: stop });
}

/**
 * `earlier` counts the notices of the day before this one, sent or about to be. It counts by id, so that servers that send at the
 * same time agree on which are above the limit.
 */
const receiverOf = (sql: Sql, { id, user_id, channel }: Claimed) =>
  sql.row<Receiver>(
    `select case when s.confirmed_email = u.email then u.email else '' end as email, u.is_usable, s.locale, s.choices,
            (select count(*) from notices n where n.user_id = u.id and n.channel = $2 and n.id < $3 and n.kind <> 'confirm'
                and n.state <> 'dropped' and n.created_at > clock_timestamp() - interval '1 day') as earlier
       from users u join notice_settings s on s.user_id = u.id where u.id = $1`,
    [user_id, channel, id],
  );

async function sendMail(
  { db, providers }: AppContext,
  { id }: Claimed,
  mail: Omit<Mail, 'messageId'>,
): Promise<Outcome> {
  if (!providers.mail) return { dropped: 'mail is off' };
  await providers.mail.send(db, { ...mail, messageId: `notice.${id}` });
  return 'sent';
}

async function sendConfirmation(context: AppContext, notice: Claimed, brand: Texts): Promise<Outcome> {
  const { email = '', token = '' } = notice.data;
  const receiver = await receiverOf(context.db, notice);
  if (!receiver) return { dropped: 'no receiver' };
  const { locale } = receiver;
  const shop = textOf(brand, locale);
  const address = `${context.config.providers.publicUrl}/api/front/notices/confirm?token=${token}`;
  const text =
    locale === 'en'
      ? `Somebody with an account at ${shop} wants notices to come to this address.\nIf it was you, confirm it within a day:\n${address}\n\nIf it was not, do nothing: no further email will come.`
      : `有人希望把${shop}的通知发送到此邮箱。\n如果是你本人操作，请在一天内打开以下链接确认：\n${address}\n\n如果不是你，请忽略此邮件，之后不会再收到邮件。`;
  const subject = locale === 'en' ? `Confirm your email address for ${shop}` : `确认你的邮箱 - ${shop}`;
  return sendMail(context, notice, { to: email, locale, subject, text });
}

async function sendPush({ db, providers: { push } }: AppContext, userId: number, message: object): Promise<Outcome> {
  if (!push) return { dropped: 'push is off' };
  let fault: unknown;
  let sent = 0;
  const browsers = await db.rows<PushReceiver & { id: number }>(
    'select id, endpoint, p256dh, auth from push_subscriptions where user_id = $1',
    [userId],
  );
  for (const browser of browsers) {
    try {
      const answer = await push.send(browser, JSON.stringify(message));
      if (answer === 'sent') sent += 1;
      if (answer === 'gone') await db.run('delete from push_subscriptions where id = $1', [browser.id]);
    } catch (error) {
      fault = error;
    }
  }
  if (fault) throw fault;
  return sent > 0 ? 'sent' : { dropped: 'no browser' };
}

async function sendToStaff(context: AppContext, notice: Claimed): Promise<Outcome> {
  const { staffNotices, staffUrl } = context.config;
  if (notice.channel === 'mail') {
    if (!staffNotices.mail.includes(notice.data.to)) return { dropped: 'no longer a receiver' };
    return sendMail(context, notice, staffMail(notice, staffUrl));
  }
  const error = await callStaffWebhook(context, notice);
  if (error) throw new Error(`a staff webhook answered ${error}`);
  return 'sent';
}

/** A mail is in Chinese and English, because staff read either. */
function staffMail(notice: StaffNotice, staffUrl: string): Omit<Mail, 'messageId'> {
  const [chinese, english] = [staffText(notice, 'zh-CN'), staffText(notice, 'en')];
  const lines = new Set([...chinese.lines, ...english.lines, `${staffUrl}/staff`]);
  const subject = `${chinese.title} · ${english.title}: ${chinese.what}`;
  return { to: notice.data.to, locale: 'zh-CN', subject, text: [...lines].join('\n') };
}

const webhookKinds: Record<string, string> = {
  staff_order: 'order',
  staff_hold: 'order-on-hold',
  staff_stock: 'low-stock',
  staff_refund: 'refund',
  staff_cost: 'cost-above-price',
};

export async function callStaffWebhook(
  context: AppContext,
  { id, kind, data: { to, amount, cost, ...data } }: StaffNotice,
): Promise<string | null> {
  const webhook = chatsOf(context).find(({ name, form }) => form === 'webhook' && name === to);
  if (!webhook) return null;
  const content = {
    id: String(id),
    kind: webhookKinds[kind] ?? kind,
    ...data,
    ...(amount === undefined ? {} : { amount: toWire(amount) }),
    ...(cost === undefined ? {} : { cost: toWire(cost) }),
  };
  return postWebhook(webhook.url, context.config.staffNotices.webhooks, content, WEBHOOK_TIMEOUT_MS);
}

async function brandOf(sql: Sql): Promise<Texts> {
  const row = await sql.row<{ value: Texts | string }>("select value from app_config where key = 'brand'");
  const value = row?.value ?? '';
  return typeof value === 'string' ? { 'zh-CN': value, en: value } : value;
}
