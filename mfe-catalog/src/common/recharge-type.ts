import { RechargeType } from '@shop/shared/domain';

const keys = {
  [RechargeType.CardCode]: 'kind.card',
  [RechargeType.Direct]: 'kind.direct',
  [RechargeType.Proxy]: 'kind.proxy',
  [RechargeType.Manual]: 'kind.manual',
} as const;

type RechargeTypeKey = (typeof keys)[RechargeType];

/** Undefined for a recharge type that this release does not support. */
export function rechargeTypeKey(type: number | undefined): RechargeTypeKey | undefined {
  return keys[type as RechargeType];
}
