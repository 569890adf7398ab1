/** Lists for the server and the console; the shop's pages do not load them. */
import type { Currency } from './index';

/** The shop's suppliers; "stock" is its own stock. */
export const stockTypes = ['stock', '91', 'bamboo', 'ezpaypin', 'fulu', 'transport', 'carrypin', 'kkxi'] as const;

export const currencies = ['CNY', 'USD'] as const satisfies readonly Currency[];

/** States, delivery states and kinds of orders by their names in the staff API; Chinese and English. */
export const orderValueTexts = {
  state: {
    unpaid: ['待付款', 'Unpaid'],
    paid: ['待发货', 'To deliver'],
    delivered: ['已完成', 'Finished'],
    refunded: ['已退款', 'Refunded'],
    closed: ['已关闭', 'Closed'],
  },
  delivery: {
    none: ['未付款', 'Not paid'],
    waiting: ['等待发货', 'Waiting'],
    delivered: ['已发货', 'Delivered'],
  },
  kind: {
    card: ['卡密', 'Codes'],
    direct: ['直充', 'Direct top-up'],
    proxy: ['代充', 'Top-up by the shop'],
    manual: ['人工', 'Manual'],
  },
} as const;
