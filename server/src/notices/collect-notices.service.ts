import { createHash } from 'node:crypto';
import { OrderStatus, RechargeType } from '@shop/shared/domain';
import { localDay } from '@shop/shared/domain/time-zone';
import { lowStock } from '../catalogue/low-stock';
import type { AppContext } from '../context';
import { amountKinds } from '../orders/order-texts';
import type { Sql } from '../platform/db/sql';
import type { Locale } from '../platform/http/schemas';
import type { ChatEvent } from '../providers/chats';
import { channelsOf } from '../providers/providers';
import { kindsOfEvents, wants } from './notice-kinds';

/** No transaction stays open this long: a later run finds an event that commits late. */
const REREAD_PERIOD = '5 minutes';
/** Older events are not reported, such as those from before mail was switched on. */
const MAX_AGE = '1 day';

/**
 * Creates notices for order events since the last run. It rereads the last minutes and notifies of each event once, so a server
 * may stop at any point. Orders themselves write no additional rows.
 */
export async function collectOrderNotices(context: AppContext): Promise<number> {
  const offered = channelsOf(context.providers);
  const staff = receiversOf(context);
  if (offered.length === 0 && staff.length === 0) return 0;
  return context.db.withTransaction(async (sql) => {
    const progress = await sql.row<{ last_event: number }>(
      'select last_event from notice_progress for update skip locked',
    );
    if (!progress) {
      // This is the first run of all, or another server is running.
      await sql.run(
        'insert into notice_progress (last_event) select coalesce(max(id), 0) from order_events on conflict do nothing',
      );
      return 0;
    }
    const created =
      (await collectForShoppers(sql, progress.last_event, offered)) +
      (await collectForStaff(sql, staff, context.config, progress.last_event));
    await sql.run(
      `update notice_progress set last_event = greatest(last_event, coalesce((
         select max(id) from order_events where id > last_event and at < clock_timestamp() - interval '${REREAD_PERIOD}'), 0))`,
    );
    return created;
  });
}

/** A code that was paid from the wallet is already on the screen, so it needs no notice; a code that was on hold for review does. */
const collectForShoppers = (sql: Sql, after: number, offered: string[]): Promise<number> =>
  sql.run(
    `insert into notices (user_id, channel, kind, about, data)
     select o.user_id, c.channel, k.kind, e.id::text, jsonb_build_object('order_no', o.order_no, 'name', o.snapshot -> 'name',
              'event', e.kind, 'note', case when e.kind = any($4) then e.note else '' end, 'currency', o.currency)
       from order_events e
       join jsonb_to_recordset($1::jsonb) as k(kind text, event text) on k.event = e.kind
       join orders o on o.id = e.order_id
       join users u on u.id = o.user_id
       join notice_settings s on s.user_id = u.id
       cross join unnest($2::text[]) as c(channel)
      where e.id > $3 and e.at > greatest(s.since, clock_timestamp() - interval '${MAX_AGE}')
        and not (e.kind = 'delivered' and o.recharge_type = ${RechargeType.CardCode} and o.pay_method = 'balance'
          and not exists (select 1 from order_holds h where h.order_id = o.id))
        and ${wants('k.kind')}
      order by e.id
     on conflict do nothing`,
    [JSON.stringify(kindsOfEvents), offered, after, amountKinds],
  );

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
  const webhooks = staffNotices.webhooks.urls.map((url) => {
    const name = createHash('sha256').update(url).digest('hex').slice(0, 16);
    return { name, form: 'webhook', url, language: null, events } as const;
  });
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
const collectForStaff = (sql: Sql, staff: Receiver[], config: AppContext['config'], after: number): Promise<number> =>
  insertNotices(
    sql,
    staff,
    `select r.channel, case e.kind when 'held' then 'staff_hold' else 'staff_order' end, e.id || ':' || r."to",
            jsonb_build_object('to', r."to", 'order_no', o.order_no, 'goods', ${inLanguage("o.snapshot -> 'name'")},
              'spec', ${inLanguage("o.snapshot -> 'face_value'")}, 'quantity', o.quantity, 'amount', o.total_amount,
              'currency', o.currency, 'waits', w.waits, 'at', e.at)
            || case e.kind when 'held' then jsonb_build_object('until', o.held_until) else '{}' end
       from order_events e join orders o on o.id = e.order_id
       cross join lateral (select o.recharge_type <> ${RechargeType.CardCode} and not (o.recharge_type = ${RechargeType.Direct} and o.stock_type = any($2)) as waits) w
       cross join r
      where e.id > $3 and e.at > clock_timestamp() - interval '${MAX_AGE}'
        and case e.kind
          when 'held' then 'order-on-hold' = any(r.events) and o.held_until is not null
          when 'paid' then 'order' = any(r.events) or ('to-deliver' = any(r.events) and w.waits and o.status = ${OrderStatus.Paid} and o.held_until is null
            and not exists (select 1 from order_events x where x.order_id = o.id and x.kind = 'released'))
          when 'released' then 'to-deliver' = any(r.events) and not 'order' = any(r.events) and w.waits and o.status = ${OrderStatus.Paid}
          else false end`,
    [Object.keys(config.providers.suppliers), after],
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
      where s.supply_hold = 'cost' and s.supply_held_at > clock_timestamp() - interval '${MAX_AGE}'`,
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
