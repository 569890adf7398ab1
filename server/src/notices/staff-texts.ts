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
  /** Minor units per piece; `amount` is the price then. */
  cost?: number;
  currency?: Currency;
  waits?: boolean;
  pieces?: number;
  until?: string;
  refund_no?: string;
  payment_no?: string;
  method?: string;
  /** Keys of product and value, "card/a", where `goods` and `spec` are names. */
  place?: string;
  release?: { kind: string; name: string; version: string; channel: string; by_watcher: boolean; why: string };
  at: string;
}
export interface StaffNotice {
  id: number;
  kind: string;
  data: StaffNoticeData;
}

const releaseTitles: Record<string, [chinese: string, english: string]> = {
  create: ['新建频道', 'channel created'],
  promote: ['上线', 'promoted'],
  canary: ['灰度', 'canary'],
  rollback: ['回滚', 'rolled back'],
  abandon: ['结束灰度', 'canary ended'],
  restore: ['恢复整个频道', 'whole map restored'],
  freeze: ['冻结', 'frozen'],
  unfreeze: ['解除冻结', 'unfrozen'],
  'render-off': ['停止服务端渲染', 'server rendering stopped'],
  'render-on': ['恢复服务端渲染', 'server rendering resumed'],
  'canary-back': ['撤回灰度', 'canary withdrawn'],
  'canary-step': ['放大灰度', 'canary raised'],
  alert: ['发现异常', 'problem found'],
};

function shortened(text: string, most: number): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('');
}

/** The text of a notice to staff, and its place in the console. It says nothing about a buyer, and its length has a limit. */
export function staffText({ kind, data }: StaffNotice, language: Locale) {
  const say = (chinese: string, english: string) => (language === 'en' ? english : chinese);
  const { order_no = '', currency = 'CNY', amount = 0, payment_no = '', method = '', release } = data;
  const item = `${shortened(data.goods ?? '', 80)} ${shortened(data.spec ?? '', 60)}`.trim();
  const what = `${item} ×${data.quantity ?? 1}`;
  const price = formatAmount(amount, currency);
  const order = { what, lines: [`${order_no}  ${what}  ${price}`], place: `order/${order_no}` };
  if (release) {
    const change = say(...(releaseTitles[release.kind] ?? [release.kind, release.kind]));
    const by = release.by_watcher ? say('（自动）', ' (automatic)') : '';
    const name = release.name === '*' ? '' : `${release.name} ${release.version}`;
    const lines = [`${shortened(name, 100)} (${release.channel})`.trim(), shortened(release.why, 180)].filter(Boolean);
    return { title: `${say('版本发布：', 'Release: ')}${change}${by}`, what: name, lines, place: 'releases' };
  }
  switch (kind) {
    case 'staff_order':
      return { title: data.waits ? say('新订单待处理', 'Order to deliver') : say('新订单', 'New order'), ...order };
    case 'staff_hold':
      return { title: say('订单待核查', 'Order on hold for review'), ...order };
    case 'staff_refund': {
      const todo = say('请在支付平台后台完成退款。', 'Complete the refund in the provider’s console.');
      const lines = [`${payment_no}  ${method}  ${price}`, todo];
      return { title: say('退款待处理', 'Refund to complete'), what: price, lines, place: 'refunds' };
    }
    case 'staff_cost': {
      const [costWord, priceWord] = [say('成本', 'cost'), say('售价', 'price')];
      const lines = [`${item}: ${costWord} ${formatAmount(data.cost ?? 0, currency)}, ${priceWord} ${price}`];
      return { title: say('成本过高，已停售', 'Off sale for its cost'), what: item, lines, place: 'suppliers' };
    }
  }
  const lines = [`${item}: ${data.pieces}`];
  return { title: say('库存不足', 'Low stock'), what: item, lines, place: `stock/of/${data.place}` };
}

/** A message of at most 400 characters for a chat, with a link to the console if it has an address. */
export function chatText(notice: StaffNotice, language: Locale, staffUrl: string): string {
  const { title, lines, place } = staffText(notice, language);
  return [title, ...lines, staffUrl && `${staffUrl}/staff#/${place}`].filter(Boolean).join('\n');
}
