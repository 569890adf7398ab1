import { pairTexts } from '../pair-texts';

export const { useTexts, t } = pairTexts('staff-levels', {
  title: ['会员等级', 'Customer levels'],
  add: ['新建等级', 'New level'],
  empty: ['还没有等级，买家都按原价购买', 'No levels yet. Every customer pays the same.'],
  all: ['返回等级列表', 'All levels'],
  on: ['启用', 'Active'],
  off: ['停用', 'Off'],
  pays: ['付 {{percent}}%', 'pays {{percent}}%'],
  fixed: ['{{count}} 个固定价', '{{count}} fixed prices', '1 fixed price'],
  reachedAt: ['{{days}} 天内消费 {{amounts}}', '{{amounts}} spent within {{days}} days'],
  or: [' 或 ', ' or '],
  byStaff: ['仅由客服授予', 'Assigned by staff only'],
  terms: ['价格', 'Prices'],
  assigned: ['授予人数', 'Assigned to'],
  active: ['启用此等级', 'Active'],
  rank: ['级别', 'Rank'],
  rankHint: ['数字越大等级越高', 'A higher number is a higher level'],
  percent: ['实付百分比', 'Customer pays (%)'],
  percentHint: [
    '95 表示 9.5 折。先算数量价，再按此折扣，每件四舍五入到分，最后用优惠券。',
    '95 means 5% off. Applied after quantity discounts, rounded per item, before coupons.',
  ],
  reached: ['如何获得', 'How customers get it'],
  thresholds: ['消费金额', 'Spending'],
  threshold: ['消费满（{{currency}}）', 'Spend at least ({{currency}})'],
  thresholdHint: [
    '已完成订单的实付金额减退款；任一币种达到即可。都不填则只能由客服授予。',
    'Paid for delivered orders, minus refunds; either currency is enough. Leave blank to let only staff assign it.',
  ],
  period: ['统计天数', 'Within days'],
  prices: ['固定价格', 'Fixed prices'],
  pricesHint: [
    '这些面值按固定价而不按百分比；高于数量价时不生效。不填价格的行会被去掉。',
    'A fixed price for these values instead of the percentage; no effect if the quantity price is lower. Rows without a price are dropped.',
  ],
  addGoods: ['添加商品的面值', 'Add a product’s values'],
});
export type Key = Parameters<typeof t>[0];
