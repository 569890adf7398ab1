import { orderValueTexts } from '@shop/shared/domain/lists';
import { pairTexts } from '../pair-texts';

/** Values that the API names; the others come from the shop's data. */
export const valueTexts = {
  ...orderValueTexts,
  sort: {
    newest: ['最新下单', 'Newest first'],
    oldest: ['最早下单', 'Oldest first'],
    highest: ['金额从高到低', 'Highest amount first'],
    lowest: ['金额从低到高', 'Lowest amount first'],
  },
} as const;

export const { useTexts, t } = pairTexts('staff-orders', {
  count: ['共 {{count}} 单', '{{count}} orders', '1 order'],
  filter: ['筛选', 'Filter'],
  show: ['查看', 'Show'],
  clear: ['清除全部条件', 'Clear all'],
  chip: ['{{name}}：{{value}}', '{{name}}: {{value}}'],
  badFilter: ['筛选条件有误，请移除或修改', 'Change or remove these filters'],
  any: ['不限', 'Any'],
  today: ['今天', 'Today'],
  yesterday: ['昨天', 'Yesterday'],
  days: ['近 {{count}} 天', 'Last {{count}} days'],
  field: {
    goods: ['商品', 'Product'],
    value: ['面值', 'Value'],
    state: ['订单状态', 'Status'],
    delivery: ['发货状态', 'Delivery'],
    kind: ['类型', 'Kind'],
    method: ['支付方式', 'Payment method'],
    currency: ['币种', 'Currency'],
    supplier: ['供应商', 'Supplier'],
    coupon: ['使用的优惠券', 'Coupon used'],
    level: ['享受的等级', 'Level used'],
    from: ['开始日期', 'From'],
    to: ['结束日期', 'To'],
    amount_from: ['最低金额', 'Amount from'],
    amount_to: ['最高金额', 'Amount to'],
    sort: ['排序', 'Sort'],
  },
  ...valueTexts,
  buyer: ['买家', 'Buyer'],
  paid: ['已付金额', 'Paid'],
  refunded: ['已退金额', 'Refunded'],
  empty: ['没有符合条件的订单', 'No matching orders'],
  export: ['导出 {{format}}', 'Export {{format}}'],
  megabytes: ['已接收 {{megabytes}} MB，共 {{total}} 单', '{{megabytes}} MB received, {{total}} orders in all'],
  rows: ['已接收 {{rows}} / {{total}} 单', '{{rows}} of {{total}} orders received'],
  cancel: ['取消导出', 'Cancel export'],
  progress: ['导出进度', 'Progress of the export'],
  exported: ['导出完成', 'Export saved'],
  notSaved: ['没有保存任何文件。', 'No file was saved.'],
});
export type Key = Parameters<typeof t>[0];
