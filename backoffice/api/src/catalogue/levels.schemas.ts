import { exact, inBoth } from '@shop/server/platform/http/edit-schemas';
import { Nullable } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { EditKeySchema } from '../edits/edits.schemas';
import { PricesSchema } from './goods.schemas';

/** A level of shoppers as people edit it. */
export const StaffLevelSchema = exact({
  name: inBoth(30, 1),
  /** Off: nobody has it, whoever was given it or has reached it. */
  active: Type.Boolean(),
  /** The higher number is the higher level. */
  rank: Type.Integer({ minimum: 1, maximum: 1000 }),
  /** What its shoppers pay of the price: 95 is 9.5折. */
  percent: Type.Integer({ minimum: 1, maximum: 100 }),
  /** Spent within the days, in one of the currencies; none where only staff give the level. */
  thresholds: PricesSchema,
  period_days: Nullable(Type.Integer({ minimum: 1, maximum: 3650 })),
  /** Fixed prices of face values, instead of the percentage. A row without a price is left out. */
  prices: Type.Array(exact({ goods: EditKeySchema, spec: EditKeySchema, prices: PricesSchema }), { maxItems: 500 }),
});
export type StaffLevel = Static<typeof StaffLevelSchema>;
