import { createHash } from 'node:crypto';
import { postWebhook } from '@platform/watch';
import { OrderStatus, RechargeType } from '@shop/shared/domain';
import { localDay } from '@shop/shared/domain/time-zone';
import { lowStock } from '../catalogue/low-stock';
import type { AppContext } from '../context';
import type { Sql } from '../platform/db/sql';
import { formatAmount, toWire } from '../platform/http/money';
import type { Currency } from '../platform/http/schemas';
import type { Mail } from '../providers/providers';
import type { StaffNotices } from '../providers/webhook-settings';

export interface StaffNoticeData {
  /** The address of a mail, or the hash of a webhook's address, which may hold a secret. */
  to: string;
  order_no?: string;
  goods?: string;
  spec?: string;
  quantity?: number;
  /** Minor units. */
  amount?: number;
  /** Minor units per piece; `amount` is the price then. */
  cost?: number;
  currency?: Currency;
  waits?: boolean;
  pieces?: number;
  until?: string;
  refund_no?: string;
  payment_no?: string;
  method?: string;
  at: string;
}
interface StaffNotice {
  id: number;
  kind: string;
  data: StaffNoticeData;
}

const TIMEOUT_MS = 5_000;
const hashOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 16);

export const notifiesStaff = ({
  config: { staffNotices },
  providers,
}: Pick<AppContext, 'config' | 'providers'>): boolean =>
  staffNotices.webhooks.urls.length > 0 || (staffNotices.mail.length > 0 && providers.mail !== undefined);

const receiversOf = ({ config: { staffNotices }, providers }: Pick<AppContext, 'config' | 'providers'>) => [
  ...(providers.mail ? staffNotices.mail.map((to) => ({ channel: 'mail', to })) : []),
  ...staffNotices.webhooks.urls.map((url) => ({ channel: 'webhook', to: hashOf(url) })),
];

/**
 * Paid orders: webhooks get all, mail only those that staff must deliver, which includes an order on hold after its release.
 * Orders on hold that wait for a decision go to mail and webhooks. A notice says nothing about the buyer.
 */
export async function collectForStaff(sql: Sql, context: AppContext, after: number): Promise<number> {
  if (!notifiesStaff(context)) return 0;
  const receivers = receiversOf(context);
  if (receivers.length === 0) return 0;
  const supplied = Object.keys(context.config.providers.suppliers);
  return sql.run(
    `insert into notices (channel, kind, about, data)
     select r.channel, case e.kind when 'held' then 'staff_hold' else 'staff_order' end, e.id || ':' || r."to",
            jsonb_build_object('to', r."to", 'order_no', o.order_no, 'goods', o.snapshot -> 'name' ->> 'zh-CN',
              'spec', o.snapshot -> 'face_value' ->> 'zh-CN', 'quantity', o.quantity, 'amount', o.total_amount,
              'currency', o.currency, 'waits', w.waits, 'at', e.at)
            || case e.kind when 'held' then jsonb_build_object('until', o.held_until) else '{}' end
       from order_events e join orders o on o.id = e.order_id
       cross join lateral (select o.recharge_type <> ${RechargeType.CardCode} and not (o.recharge_type = ${RechargeType.Direct} and o.stock_type = any($2)) as waits) w
       cross join jsonb_to_recordset($1::jsonb) as r(channel text, "to" text)
      where e.id > $3 and e.at > clock_timestamp() - interval '1 day'
        and case e.kind
          when 'held' then o.held_until is not null
          when 'paid' then r.channel = 'webhook' or (w.waits and o.status = ${OrderStatus.Paid} and o.held_until is null
            and not exists (select 1 from order_events x where x.order_id = o.id and x.kind = 'released'))
          when 'released' then r.channel <> 'webhook' and w.waits and o.status = ${OrderStatus.Paid}
          else false end
     on conflict do nothing`,
    [JSON.stringify(receivers), supplied, after],
  );
}

export async function collectLowStock(context: AppContext): Promise<number> {
  const { db } = context;
  if (!notifiesStaff(context)) return 0;
  const receivers = receiversOf(context);
  if (receivers.length === 0) return 0;
  const low = await lowStock(db);
  if (low.length === 0) return 0;
  return db.run(
    `insert into notices (channel, kind, about, data)
     select r.channel, 'staff_stock', l.goods || '/' || l.spec || ':' || $3 || ':' || r."to",
            jsonb_build_object('to', r."to", 'goods', l.goods, 'spec', l.spec, 'pieces', l.pieces, 'at', now())
       from jsonb_to_recordset($2::jsonb) as l(goods text, spec text, pieces bigint)
       join goods g on g.key = l.goods join goods_specs s on s.goods_id = g.id and s.key = l.spec
       cross join jsonb_to_recordset($1::jsonb) as r(channel text, "to" text)
     on conflict do nothing`,
    [JSON.stringify(receivers), JSON.stringify(low), localDay(new Date(), context.config.timeZone)],
  );
}

/** Each hold of a value whose cost leaves too little of its price is reported once: a poll that changes nothing is no new hold. */
export async function collectCostHolds(context: AppContext): Promise<number> {
  const receivers = receiversOf(context);
  if (receivers.length === 0) return 0;
  return context.db.run(
    `insert into notices (channel, kind, about, data)
     select r.channel, 'staff_cost', s.id || ':' || extract(epoch from s.supply_held_at) || ':' || r."to",
            jsonb_build_object('to', r."to", 'goods', g.name_zh, 'spec', s.name_zh, 'amount', p.price, 'cost', p.cost,
              'currency', p.currency, 'at', s.supply_held_at)
       from goods_specs s join goods g on g.id = s.goods_id
       cross join lateral (select * from supply_prices(s.id) where is_low limit 1) p
       cross join jsonb_to_recordset($1::jsonb) as r(channel text, "to" text)
      where s.supply_hold = 'cost' and s.supply_held_at > clock_timestamp() - interval '1 day'
     on conflict do nothing`,
    [JSON.stringify(receivers)],
  );
}

export async function noticeStuckRefund(
  context: Pick<AppContext, 'db' | 'config' | 'providers'>,
  refundNo: string,
): Promise<void> {
  const { db } = context;
  const receivers = receiversOf(context);
  await db.run(
    `insert into notices (channel, kind, about, data)
     select r.channel, 'staff_refund', f.refund_no || ':' || r."to", jsonb_build_object('to', r."to", 'refund_no', f.refund_no,
              'payment_no', p.payment_no, 'method', p.method, 'amount', f.amount, 'currency', p.currency, 'at', now())
       from payment_refunds f join payments p on p.id = f.payment_id
       cross join jsonb_to_recordset($2::jsonb) as r(channel text, "to" text)
      where f.refund_no = $1
     on conflict do nothing`,
    [refundNo, JSON.stringify(receivers)],
  );
}

/** A mail is in Chinese and English, because staff read either. */
export function staffMail(notice: StaffNotice, staffUrl: string): Omit<Mail, 'messageId'> {
  const {
    to,
    order_no = '',
    goods = '',
    spec = '',
    quantity = 1,
    amount = 0,
    cost = 0,
    currency = 'CNY',
    pieces = 0,
    payment_no = '',
    method = '',
  } = notice.data;
  const what = `${goods} ${spec}`.trim();
  const order = `${order_no}  ${what} ×${quantity}  ${formatAmount(amount, currency)}`;
  const contents: Record<string, [subject: string, line: string]> = {
    staff_order: [`新订单待处理 · Order to deliver: ${what} ×${quantity}`, order],
    staff_hold: [`订单待核查 · Order on hold for review: ${what} ×${quantity}`, order],
    staff_refund: [
      `退款待处理 · Refund to complete: ${formatAmount(amount, currency)}`,
      `${payment_no}  ${method}  ${formatAmount(amount, currency)}\n请在支付平台后台完成退款。Complete the refund in the provider’s console.`,
    ],
    staff_cost: [
      `成本过高，已停售 · Off sale for its cost: ${what}`,
      `${what}: 成本 · cost ${formatAmount(cost, currency)}, 售价 · price ${formatAmount(amount, currency)}`,
    ],
    staff_stock: [`库存不足 · Low stock: ${what}`, `${what}: ${pieces}`],
  };
  const [subject, line] = contents[notice.kind] ?? ['', ''];
  return { to, locale: 'zh-CN', subject, text: `${line}\n${staffUrl}/staff` };
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
