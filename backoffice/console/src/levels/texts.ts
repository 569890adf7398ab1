import { createTexts, pairs } from '@shop/shared/i18n';

export const { useTexts, t } = createTexts(
  'staff-levels',
  pairs({
    title: ['会员等级', 'Levels'],
    add: ['新建等级', 'New level'],
    empty: ['还没有等级，买家都按原价购买', 'No levels yet: every shopper pays the same'],
    all: ['返回等级列表', 'All levels'],
    on: ['启用', 'In use'],
    off: ['停用', 'Off'],
    pays: ['付 {{percent}}%', 'pays {{percent}} %'],
    fixed: ['{{count}} 个固定价', '{{count}} fixed prices'],
    reachedAt: ['{{days}} 天内消费 {{amounts}}', '{{amounts}} spent in {{days}} days'],
    or: [' 或 ', ' or '],
    byStaff: ['仅由客服授予', 'Given by staff only'],
    given: ['授予 {{count}} 人', 'Given to {{count}}'],
    basics: ['基本信息', 'Basics'],
    name: ['名称', 'Name'],
    active: ['启用此等级', 'In use'],
    rank: ['级别', 'Rank'],
    rankHint: ['数字越大等级越高', 'The higher number is the higher level'],
    percent: ['实付百分比', 'Pays, in percent'],
    percentHint: [
      '95 表示 9.5 折。先算数量价，再按此折扣，每件四舍五入到分，最后用优惠券。',
      '95 is 5% off. It is taken of the price by quantity, rounded for each piece; a coupon comes after it.',
    ],
    reached: ['如何获得', 'How it is reached'],
    thresholds: ['消费金额', 'Spending'],
    threshold: ['消费满（{{currency}}）', 'Spending of ({{currency}})'],
    thresholdHint: [
      '已完成订单的实付金额减退款；任一币种达到即可。都不填则只能由客服授予。',
      'What was paid for delivered orders, less refunds; one currency is enough. With none only staff give the level.',
    ],
    period: ['统计天数', 'Within days'],
    prices: ['固定价格', 'Fixed prices'],
    pricesHint: [
      '这些面值按固定价而不按百分比；高于数量价时不生效。不填价格的行会被去掉。',
      'These values cost a fixed price instead of the percentage, where it is lower. A row without a price is left out.',
    ],
    price: ['价格（{{currency}}）', 'Price ({{currency}})'],
    spec: ['面值', 'Value'],
    addGoods: ['添加商品的面值', 'Add the values of a product'],
  }),
);
export type Key = Parameters<typeof t>[0];
