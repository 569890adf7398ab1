import { createHash } from 'node:crypto';
import { postWebhook } from '@platform/watch';
import { OrderStatus, RechargeType } from '@shop/shared/domain';
import { lowStock } from '../catalogue/low-stock';
import type { AppContext } from '../context';
import type { Sql } from '../platform/db/sql';
import { formatAmount, toWire } from '../platform/http/money';
import type { Currency } from '../platform/http/schemas';
import type { Mail } from '../providers/providers';
import type { StaffNotices } from '../providers/webhook-settings';

export interface StaffNoticeData {
  /** The address of a mail, or the mark of a webhook's address, which may hold a secret. */
  to: string;
  order_no?: string;
  goods?: string;
  spec?: string;
  quantity?: number;
  /** Minor units. */
  amount?: number;
  currency?: Currency;
  /** Whether somebody must deliver it by hand. */
  waits?: boolean;
  pieces?: number;
  at: string;
}
interface StaffNotice {
  id: number;
  kind: string;
  data: StaffNoticeData;
}

const TIMEOUT_MS = 5_000;
const markOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 16);

export const tellsStaff = ({
  config: { staffNotices },
  providers,
}: Pick<AppContext, 'config' | 'providers'>): boolean =>
  staffNotices.webhooks.urls.length > 0 || (staffNotices.mail.length > 0 && providers.mail !== undefined);

/** Receivers, for SQL. */
function receiversOf({ config: { staffNotices }, providers }: Pick<AppContext, 'config' | 'providers'>) {
  return [
    ...(providers.mail ? staffNotices.mail.map((to) => ({ channel: 'mail', to })) : []),
    ...staffNotices.webhooks.urls.map((url) => ({ channel: 'webhook', to: markOf(url) })),
  ];
}

/** Orders that were paid: to webhooks all of them, by mail those that wait for somebody. Of the shopper it says nothing. */
export async function collectForStaff(sql: Sql, context: AppContext, after: number): Promise<number> {
  const receivers = receiversOf(context);
  if (receivers.length === 0) return 0;
  const supplied = Object.keys(context.config.providers.suppliers);
  return sql.run(
    `insert into notices (channel, kind, about, data)
     select r.channel, 'staff_order', e.id || ':' || r."to",
            jsonb_build_object('to', r."to", 'order_no', o.order_no, 'goods', o.snapshot -> 'name' ->> 'zh-CN',
              'spec', o.snapshot ->> 'face_value', 'quantity', o.quantity, 'amount', o.total_amount, 'currency', o.currency,
              'waits', w.waits, 'at', e.at)
       from order_events e join orders o on o.id = e.order_id
       cross join lateral (select o.recharge_type <> ${RechargeType.CardCode} and not (o.recharge_type = ${RechargeType.Direct} and o.stock_type = any($2)) as waits) w
       cross join jsonb_to_recordset($1::jsonb) as r(channel text, "to" text)
      where e.kind = 'paid' and e.id > $3 and e.at > clock_timestamp() - interval '1 day'
        and (r.channel = 'webhook' or (w.waits and o.status = ${OrderStatus.Paid}))
     on conflict do nothing`,
    [JSON.stringify(receivers), supplied, after],
  );
}

/** Face values that run out: once a day each, while they do. */
export async function collectLowStock(context: AppContext): Promise<number> {
  const receivers = receiversOf(context);
  if (receivers.length === 0) return 0;
  const { db } = context;
  const low = await lowStock(db);
  if (low.length === 0) return 0;
  return db.run(
    `insert into notices (channel, kind, about, data)
     select r.channel, 'staff_stock', l.goods || '/' || l.spec || ':' || (now() at time zone 'utc')::date || ':' || r."to",
            jsonb_build_object('to', r."to", 'goods', l.goods, 'spec', l.spec, 'pieces', l.pieces, 'at', now())
       from jsonb_to_recordset($2::jsonb) as l(goods text, spec text, pieces bigint)
       cross join jsonb_to_recordset($1::jsonb) as r(channel text, "to" text)
     on conflict do nothing`,
    [JSON.stringify(receivers), JSON.stringify(low)],
  );
}

/** Staff read Chinese or English: a mail has both. */
export function staffMail(notice: StaffNotice, publicUrl: string): Omit<Mail, 'messageId'> {
  const {
    to,
    order_no = '',
    goods = '',
    spec = '',
    quantity = 1,
    amount = 0,
    currency = 'CNY',
    pieces = 0,
  } = notice.data;
  const what = `${goods} ${spec}`.trim();
  const [subject, lines] =
    notice.kind === 'staff_order'
      ? [
          `新订单待处理 · Order to deliver: ${what} ×${quantity}`,
          [`${order_no}  ${what} ×${quantity}  ${formatAmount(amount, currency)}`, `${publicUrl}/staff`],
        ]
      : [`库存不足 · Low stock: ${what}`, [`${what}: ${pieces}`, `${publicUrl}/staff`]];
  return { to, locale: 'zh-CN', subject, text: lines.join('\n') };
}

/** The reason of a failure; null when it was taken, or when its address is no longer among the settings. */
export async function callStaffWebhook(
  { webhooks }: StaffNotices,
  { id, kind, data: { to, amount, ...data } }: StaffNotice,
): Promise<string | null> {
  const url = webhooks.urls.find((one) => markOf(one) === to);
  if (!url) return null;
  const content = {
    id: String(id),
    kind: kind === 'staff_order' ? 'order' : 'low-stock',
    ...data,
    ...(amount === undefined ? {} : { amount: toWire(amount) }),
  };
  return postWebhook(url, webhooks, content, TIMEOUT_MS);
}
