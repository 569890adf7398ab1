import { Type } from 'typebox';
import Value from 'typebox/value';
import { fromWire } from '../platform/http/money';
import type { SupplierOffer } from './providers';

/** Refuses zero and a cost of ten million or more, which no value of a shop has. */
const CostSchema = Type.String({ pattern: '^(?=.*[1-9])\\d{1,7}(\\.\\d{1,2})?$' });
const OfferSchema = Type.Object({
  goodsKey: Type.String(),
  specKey: Type.String(),
  available: Type.Boolean(),
  costs: Type.Object(
    { CNY: Type.Optional(CostSchema), USD: Type.Optional(CostSchema) },
    { additionalProperties: false, minProperties: 1 },
  ),
});

/** Returns [] for an offer in which anything is missing or impossible, because it must change nothing. */
export function offersOf(answered: unknown): SupplierOffer[] {
  if (!Value.Check(OfferSchema, answered)) return [];
  const { goodsKey, specKey, available, costs } = answered;
  const minorCosts = Object.entries(costs).map(([currency, cost]) => [currency, fromWire(cost)]);
  return [{ goodsKey, specKey, available, costs: Object.fromEntries(minorCosts) }];
}
