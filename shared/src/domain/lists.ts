/** Lists for the server and the console; they are no part of what the shop's pages load. */
import type { Currency } from './index';

/** Whom the shop buys from; "stock" is its own. */
export const stockTypes = ['stock', '91', 'bamboo', 'ezpaypin', 'fulu', 'transport', 'carrypin', 'kkxi'] as const;

export const currencies = ['CNY', 'USD'] as const satisfies readonly Currency[];
