import { RechargeType } from '@shop/shared/domain';

const kinds = {
  [RechargeType.CardCode]: 'card',
  [RechargeType.Direct]: 'direct',
  [RechargeType.Proxy]: 'proxy',
  [RechargeType.Manual]: 'manual',
} as const;

type Kind = (typeof kinds)[RechargeType];

/** The last part of the keys of its texts. Undefined for a recharge type that this release does not support. */
export const kindOf = (type: number | undefined): Kind | undefined => kinds[type as RechargeType];
