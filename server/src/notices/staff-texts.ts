import { type Texts, textOf } from '../platform/http/localised-text';
import { formatAmount } from '../platform/http/money';
import type { Currency, Locale } from '../platform/http/schemas';

export interface StaffNoticeData {
  /** The address of a mail, the hash of a webhook's address, which may hold a secret, or the name of a chat. */
  to: string;
  order_no?: string;
  goods?: string;
  spec?: string;
  quantity?: number;
  /** Minor units. */
  amount?: number;
  currency?: Currency;
  waits?: boolean;
  pieces?: number;
  until?: string;
  refund_no?: string;
  payment_no?: string;
  method?: string;
  /** The keys of product and value, for the link of a chat. */
  place?: string;
  release?: string;
  version?: string;
  channel?: string;
  is_automatic?: boolean;
  why?: string;
  at: string;
}
export interface StaffNotice {
  id: number;
  kind: string;
  data: StaffNoticeData;
}

interface StaffText {
  title: Texts;
  what: string;
  lines: Array<string | Texts>;
  /** A place of the console. */
  place: string;
}

const texts = (chinese: string, en: string): Texts => ({ 'zh-CN': chinese, en });
const shortened = (text: string, most: number) => {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('');
};

const releaseTitles: Record<string, Texts> = {
  create: texts('新建频道', 'channel created'),
  promote: texts('上线', 'promoted'),
  canary: texts('灰度', 'canary'),
  rollback: texts('回滚', 'rolled back'),
  abandon: texts('结束灰度', 'canary ended'),
  restore: texts('恢复整个频道', 'whole map restored'),
  freeze: texts('冻结', 'frozen'),
  unfreeze: texts('解除冻结', 'unfrozen'),
  'render-off': texts('停止服务端渲染', 'server rendering stopped'),
  'render-on': texts('恢复服务端渲染', 'server rendering resumed'),
  'canary-back': texts('撤回灰度', 'canary withdrawn'),
  'canary-step': texts('放大灰度', 'canary raised'),
  alert: texts('发现异常', 'problem found'),
};

/** The text of a notice to staff. It says nothing about a buyer, and its length has a limit. */
export function staffText({ kind, data }: StaffNotice): StaffText {
  const { order_no = '', quantity = 1, amount = 0, currency = 'CNY', pieces = 0, payment_no = '', method = '' } = data;
  const what = `${shortened(data.goods ?? '', 80)} ${shortened(data.spec ?? '', 60)}`.trim();
  const price = formatAmount(amount, currency);
  const order = {
    what: `${what} ×${quantity}`,
    lines: [`${order_no}  ${what} ×${quantity}  ${price}`],
    place: `order/${order_no}`,
  };
  switch (kind) {
    case 'staff_order':
      return { title: data.waits ? texts('新订单待处理', 'Order to deliver') : texts('新订单', 'New order'), ...order };
    case 'staff_hold':
      return { title: texts('订单待核查', 'Order on hold for review'), ...order };
    case 'staff_refund': {
      const todo = texts('请在支付平台后台完成退款。', 'Complete the refund in the provider’s console.');
      const lines = [`${payment_no}  ${method}  ${price}`, todo];
      return { title: texts('退款待处理', 'Refund to complete'), what: price, lines, place: 'refunds' };
    }
    case 'staff_stock':
      return {
        title: texts('库存不足', 'Low stock'),
        what,
        lines: [`${what}: ${pieces}`],
        place: `stock/of/${data.place}`,
      };
    case 'staff_release': {
      const { release = '', version = '', channel = '', is_automatic, why = '' } = data;
      const change = releaseTitles[release] ?? texts(release, release);
      const by = is_automatic ? texts('（自动）', ' (automatic)') : texts('', '');
      const name = what === '*' ? '' : `${what} ${version}`;
      const lines = [`${shortened(name, 100)} (${channel})`.trim(), shortened(why, 180)].filter(Boolean);
      const title = texts(`版本发布：${change['zh-CN']}${by['zh-CN']}`, `Release: ${change.en}${by.en}`);
      return { title, what, lines, place: 'releases' };
    }
    default:
      return { title: texts(kind, kind), what, lines: [], place: '' };
  }
}

/** A message of at most 400 characters for a chat, with a link to the console if it has an address. */
export function chatText(notice: StaffNotice, language: Locale, staffUrl: string): string {
  const { title, lines, place } = staffText(notice);
  const words = lines.map((line) => (typeof line === 'string' ? line : textOf(line, language)));
  const link = staffUrl && `${staffUrl}/staff#/${place}`;
  return [textOf(title, language), ...words, link].filter(Boolean).join('\n');
}
