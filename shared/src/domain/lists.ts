/** Lists for the server and the console; the shop's pages do not load them. */
import type { Currency } from './index';

/** The shop's suppliers; "stock" is its own stock. */
export const stockTypes = ['stock', '91', 'bamboo', 'ezpaypin', 'fulu', 'transport', 'carrypin', 'kkxi'] as const;

export const currencies = ['CNY', 'USD'] as const satisfies readonly Currency[];
