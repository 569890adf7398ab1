import { createHash } from 'node:crypto';
import { postWebhook } from '@platform/watch';
import { OrderStatus, RechargeType } from '@shop/shared/domain';
import { localDay } from '@shop/shared/domain/time-zone';
import { lowStock } from '../catalogue/low-stock';
import type { AppContext } from '../context';
import type { Sql } from '../platform/db/sql';
import { toWire } from '../platform/http/money';
import type { Locale } from '../platform/http/schemas';
import type { ChatEvent } from '../providers/chats';
import type { Mail } from '../providers/providers';
import type { StaffNotices } from '../providers/settings';
import { type StaffNotice, staffText } from './staff-texts';

const TIMEOUT_MS = 5_000;
const hashOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 16);

interface Receiver {
  channel: 'mail' | 'webhook' | 'chat';
  /** The address of a mail, the hash of a webhook's address, or the name of a chat. */
  to: string;
  /** Null reads Chinese. */
  language: Locale | null;
  events: readonly ChatEvent[];
}

const commonEvents: ChatEvent[] = ['order-on-hold', 'low-stock', 'cost-above-price', 'refund'];

type Configured = Pick<AppContext, 'config' | 'providers'>;

/** The chats, and webhooks as further ones, each named by the hash of its address. */
export function chatsOf({ config: { staffNotices } }: Pick<AppContext, 'config'>) {
  const events: ChatEvent[] = ['order', ...commonEvents];
  const webhooks = staffNotices.webhooks.urls.map(
    (url) => ({ name: hashOf(url), form: 'webhook', url, language: null, events }) as const,
  );
  return [...staffNotices.chats, ...webhooks];
}

function receiversOf(context: Configured): Receiver[] {
  const mails = context.providers.mail ? context.config.staffNotices.mail : [];
  const events: ChatEvent[] = ['to-deliver', ...commonEvents];
  return [
    ...mails.map((to): Receiver => ({ channel: 'mail', to, language: null, events })),
    ...chatsOf(context).map(({ name: to, form, language, events }): Receiver => {
      return { channel: form === 'webhook' ? form : 'chat', to, language, events };
    }),
  ];
}
const receiversFor = (context: Configured, event: ChatEvent): Receiver[] =>
  receiversOf(context).filter(({ events }) => events.includes(event));

export const notifiesStaff = (context: Configured): boolean => receiversOf(context).length > 0;

/** Inserts the notices of a SELECT that joins the receivers `r`, each once. Its first parameter is $2. */
const insertNotices = async (sql: Sql, receivers: Receiver[], select: string, values: unknown[] = []) =>
  receivers.length === 0
    ? 0
    : sql.run(
        `with r as (
           select * from jsonb_to_recordset($1::jsonb) as r(channel text, "to" text, language text, events text[]))
         insert into notices (channel, kind, about, data) ${select} on conflict do nothing`,
        [JSON.stringify(receivers), ...values],
      );

/** SQL of a text in the receiver's language. */
const inLanguage = (texts: string) => `coalesce(nullif(${texts} ->> r.language, ''), ${texts} ->> 'zh-CN')`;
const namesInLanguage = `'goods', case r.language when 'en' then g.name_en else g.name_zh end,
              'spec', case r.language when 'en' then s.name_en else s.name_zh end`;

/**
 * Paid orders: `order` gets all, `to-deliver` only those that staff must deliver, which includes an order on hold after its release.
 * Orders on hold that wait for a decision are another event. A notice says nothing about the buyer.
 */
export const collectForStaff = (sql: Sql, context: AppContext, after: number): Promise<number> =>
  insertNotices(
    sql,
    receiversOf(context),
    `select r.channel, case e.kind when 'held' then 'staff_hold' else 'staff_order' end, e.id || ':' || r."to",
            jsonb_build_object('to', r."to", 'order_no', o.order_no, 'goods', ${inLanguage("o.snapshot -> 'name'")},
              'spec', ${inLanguage("o.snapshot -> 'face_value'")}, 'quantity', o.quantity, 'amount', o.total_amount,
              'currency', o.currency, 'waits', w.waits, 'at', e.at)
            || case e.kind when 'held' then jsonb_build_object('until', o.held_until) else '{}' end
       from order_events e join orders o on o.id = e.order_id
       cross join lateral (select o.recharge_type <> ${RechargeType.CardCode} and not (o.recharge_type = ${RechargeType.Direct} and o.stock_type = any($2)) as waits) w
       cross join r
      where e.id > $3 and e.at > clock_timestamp() - interval '1 day'
        and case e.kind
          when 'held' then 'order-on-hold' = any(r.events) and o.held_until is not null
          when 'paid' then 'order' = any(r.events) or ('to-deliver' = any(r.events) and w.waits and o.status = ${OrderStatus.Paid} and o.held_until is null
            and not exists (select 1 from order_events x where x.order_id = o.id and x.kind = 'released'))
          when 'released' then 'to-deliver' = any(r.events) and not 'order' = any(r.events) and w.waits and o.status = ${OrderStatus.Paid}
          else false end`,
    [Object.keys(context.config.providers.suppliers), after],
  );

export async function collectLowStock(context: AppContext): Promise<number> {
  const receivers = receiversFor(context, 'low-stock');
  if (receivers.length === 0) return 0;
  return insertNotices(
    context.db,
    receivers,
    `select r.channel, 'staff_stock', l.goods || '/' || l.spec || ':' || $3 || ':' || r."to",
            jsonb_build_object('to', r."to", 'goods', l.goods, 'spec', l.spec, 'pieces', l.pieces, 'at', now())
            || case r.channel when 'chat' then jsonb_build_object('place', l.goods || '/' || l.spec, ${namesInLanguage}) else '{}' end
       from jsonb_to_recordset($2::jsonb) as l(goods text, spec text, pieces bigint)
       join goods g on g.key = l.goods join goods_specs s on s.goods_id = g.id and s.key = l.spec
       cross join r`,
    [JSON.stringify(await lowStock(context.db)), localDay(new Date(), context.config.timeZone)],
  );
}

/** Each hold of a value whose cost leaves too little of its price is reported once: a poll that changes nothing is no new hold. */
export const collectCostHolds = (context: AppContext): Promise<number> =>
  insertNotices(
    context.db,
    receiversFor(context, 'cost-above-price'),
    `select r.channel, 'staff_cost', s.id || ':' || extract(epoch from s.supply_held_at) || ':' || r."to",
            jsonb_build_object('to', r."to", ${namesInLanguage}, 'amount', p.price, 'cost', p.cost,
              'currency', p.currency, 'at', s.supply_held_at)
       from goods_specs s join goods g on g.id = s.goods_id
       cross join lateral (select * from supply_prices(s.id) where is_low limit 1) p
       cross join r
      where s.supply_hold = 'cost' and s.supply_held_at > clock_timestamp() - interval '1 day'`,
  );

/**
 * Releases of the last hour, so that a new chat gets no older ones. The history may name its author and reasons freely, so only the
 * watcher's reasons are sent.
 */
export const collectReleaseNotices = (context: AppContext): Promise<number> =>
  insertNotices(
    context.db,
    receiversFor(context, 'release'),
    `select r.channel, 'staff_release', e.id || ':' || r."to", jsonb_build_object('to', r."to", 'at', e.at, 'release',
              jsonb_build_object('kind', e.kind, 'name', e.name, 'version', e.version, 'channel', e.channel,
                'by_watcher', e.who = 'watcher', 'why', case when e.who = 'watcher' then e.why else '' end))
       from release_events e cross join r
      where e.at > now() - interval '1 hour' order by e.at`,
  );

export const noticeStuckRefund = (context: Configured & Pick<AppContext, 'db'>, refundNo: string): Promise<number> =>
  insertNotices(
    context.db,
    receiversFor(context, 'refund'),
    `select r.channel, 'staff_refund', f.refund_no || ':' || r."to", jsonb_build_object('to', r."to", 'refund_no', f.refund_no,
              'payment_no', p.payment_no, 'method', p.method, 'amount', f.amount, 'currency', p.currency, 'at', now())
       from payment_refunds f join payments p on p.id = f.payment_id
       cross join r
      where f.refund_no = $2`,
    [refundNo],
  );

/** A mail is in Chinese and English, because staff read either. */
export function staffMail(notice: StaffNotice, staffUrl: string): Omit<Mail, 'messageId'> {
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
  { webhooks }: StaffNotices,
  { id, kind, data: { to, amount, cost, ...data } }: StaffNotice,
): Promise<string | null> {
  const url = webhooks.urls.find((candidate) => hashOf(candidate) === to);
  if (!url) return null;
  const content = {
    id: String(id),
    kind: webhookKinds[kind] ?? kind,
    ...data,
    ...(amount === undefined ? {} : { amount: toWire(amount) }),
    ...(cost === undefined ? {} : { cost: toWire(cost) }),
  };
  return postWebhook(url, webhooks, content, TIMEOUT_MS);
}
