import { eventText } from '../orders/order-texts';
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
  /** ISO 8601. */
  at?: string;
}

interface NoticeKind {
  title: Texts;
  byDefault: boolean;
  events: readonly string[];
  line(data: NoticeData, locale: Locale, timeZone: string): string;
  path(data: NoticeData): string;
}

function orderLine({ event = '', note = '', name, currency = 'CNY' }: NoticeData, locale: Locale): string {
  // The question itself is written by staff, so only the order shows it.
  const what =
    event === 'asked'
      ? { 'zh-CN': '客服有问题需要你确认', en: 'We have a question about your order' }[locale]
      : eventText(event, note, currency, locale);
  return `${what}${locale === 'en' ? ': ' : '：'}${textOf(name, locale)}`;
}
const ofOrder = (title: Texts, events: readonly string[]): NoticeKind => ({
  title,
  byDefault: true,
  events,
  line: orderLine,
  path: ({ order_no }) => `/order/detail/${order_no}`,
});
function dateOf(at: string, locale: Locale, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).formatToParts(new Date(at));
  const offset = format({ timeZoneName: 'shortOffset' }).at(-1)?.value.replace('GMT', 'UTC');
  return `${format({ dateStyle: 'medium', timeStyle: 'short' })
    .map(({ value }) => value)
    .join('')} (${offset})`;
}

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
  coupon_ending: {
    title: { 'zh-CN': '优惠券即将到期', en: 'Coupon about to end' },
    byDefault: false,
    events: [],
    line: ({ name, at = '' }, locale, timeZone) =>
      locale === 'en'
        ? `Your coupon "${textOf(name, locale)}" can be used until ${dateOf(at, locale, timeZone)}`
        : `你的优惠券“${textOf(name, locale)}”将于 ${dateOf(at, locale, timeZone)} 到期`,
    path: () => '/user/coupon',
  },
  level_reached: {
    title: { 'zh-CN': '会员等级提升', en: 'Member level reached' },
    byDefault: true,
    events: [],
    line: ({ name }, locale) =>
      locale === 'en'
        ? `Your member level is now ${textOf(name, locale)}`
        : `你的会员等级已升为“${textOf(name, locale)}”`,
    path: () => '/user',
  },
  back_in_stock: {
    title: { 'zh-CN': '到货提醒', en: 'Back in stock' },
    byDefault: true,
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

export const kindsOfEvents = kindNames.flatMap((kind) =>
  noticeKinds[kind].events.map((event) => ({ kind, event, by_default: noticeKinds[kind].byDefault })),
);

/**
 * SQL condition on `s` (notice_settings), `u` (users) and `c.channel`: the user has a confirmed address or a browser, and wants
 * this kind there. `kind` and `byDefault` are SQL.
 */
export const wants = (kind: string, byDefault: string): string =>
  `u.is_usable = 1 and coalesce((s.choices ->> (c.channel || ':' || ${kind}))::boolean, ${byDefault})
   and case c.channel when 'mail' then s.confirmed_email <> '' and s.confirmed_email = u.email
       else exists (select 1 from push_subscriptions p where p.user_id = u.id) end`;

export const wantsKind = (kind: NoticeKindName): string => wants(`'${kind}'`, String(noticeKinds[kind].byDefault));
