import { eventText, orderText } from '../orders/order-texts';
import { type Texts, textOf } from '../platform/http/localised-text';
import type { Currency, Locale } from '../platform/http/schemas';

/** Data for the texts of a notice. It holds no code and nothing that staff or a supplier wrote, because it stays in mailboxes. */
export interface NoticeData {
  order_no?: string;
  name?: Texts;
  event?: string;
  note?: string;
  currency?: Currency;
  goods_id?: number;
}

interface NoticeKind {
  title: Texts;
  events: readonly string[];
  line(data: NoticeData, locale: Locale): string;
  path(data: NoticeData): string;
}

function orderLine({ event = '', note = '', name, currency = 'CNY' }: NoticeData, locale: Locale): string {
  // The question itself is written by staff, so only the order shows it.
  const what = event === 'asked' ? orderText(event, locale) : eventText(event, note, currency, locale);
  return `${what}${locale === 'en' ? ': ' : '：'}${textOf(name, locale)}`;
}
const ofOrder = (title: Texts, events: readonly string[]): NoticeKind => ({
  title,
  events,
  line: orderLine,
  path: ({ order_no }) => `/order/detail/${order_no}`,
});

export const noticeKinds = {
  delivered: ofOrder({ 'zh-CN': '订单已交付', en: 'Order delivered' }, ['delivered']),
  question: ofOrder({ 'zh-CN': '客服提问', en: 'Question about an order' }, ['asked']),
  refund: ofOrder({ 'zh-CN': '退款', en: 'Refund' }, [
    'refunded',
    'refunded_source',
    'refunded_part',
    'refunded_part_source',
    'refund_refused',
    'refund_returned',
    'paid_late',
  ]),
  back_in_stock: {
    title: { 'zh-CN': '到货提醒', en: 'Back in stock' },
    events: [],
    line: ({ name }, locale) =>
      locale === 'en' ? `Back in stock: ${textOf(name, locale)}` : `已到货：${textOf(name, locale)}`,
    path: ({ goods_id }) => `/goods/${goods_id}`,
  },
} as const satisfies Record<string, NoticeKind>;
type NoticeKindName = keyof typeof noticeKinds;
export const kindNames = Object.keys(noticeKinds) as NoticeKindName[];
export const kindOf = (name: string): NoticeKind | undefined =>
  Object.hasOwn(noticeKinds, name) ? noticeKinds[name as NoticeKindName] : undefined;

export const kindsOfEvents = kindNames.flatMap((kind) => noticeKinds[kind].events.map((event) => ({ kind, event })));

/**
 * SQL condition on `s` (notice_settings), `u` (users) and `c.channel`: the user has a confirmed address or a browser, and has not
 * switched off this kind there. `kind` is SQL.
 */
export const wants = (kind: string): string =>
  `u.is_usable = 1 and coalesce((s.choices ->> (c.channel || ':' || ${kind}))::boolean, true)
   and case c.channel when 'mail' then s.confirmed_email <> '' and s.confirmed_email = u.email
       else exists (select 1 from push_subscriptions p where p.user_id = u.id) end`;
