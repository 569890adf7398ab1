import { exact, inBoth } from '@shop/server/platform/http/edit-schemas';
import { Nullable } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { EditKeySchema } from '../edits/edits.service';
import { PricesSchema } from './goods.schemas';

export const StaffLevelSchema = exact({
  name: inBoth(30, 1),
  /** false: the level applies to no one, not even to shoppers who were granted or have reached it. */
  active: Type.Boolean(),
  /** The higher number is the higher level. */
  rank: Type.Integer({ minimum: 1, maximum: 1000 }),
  /** The share of the price that its shoppers pay, in percent: 95 is 9.5折. */
  percent: Type.Integer({ minimum: 1, maximum: 100 }),
  /** Amount spent within `period_days`, in any one of the currencies; empty if only staff grant the level. */
  thresholds: PricesSchema,
  period_days: Nullable(Type.Integer({ minimum: 1, maximum: 3650 })),
  /** Fixed prices of specifications, instead of the percentage. Rows without a price are dropped. */
  prices: Type.Array(exact({ goods: EditKeySchema, spec: EditKeySchema, prices: PricesSchema }), { maxItems: 500 }),
});
export type StaffLevel = Static<typeof StaffLevelSchema>;
