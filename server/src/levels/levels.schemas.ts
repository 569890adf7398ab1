import { type Static, Type } from 'typebox';
import { CurrencySchema, MoneySchema, Nullable, TimeSchema } from '../platform/http/schemas';

const AmountsSchema = Type.Array(Type.Object({ currency: CurrencySchema, amount: MoneySchema }));

export const LevelListSchema = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    /** What shoppers of this level pay, in percent of the list price. */
    percent: Type.Integer(),
    own_prices: Type.Boolean(),
    /** Spending in one of the currencies within `period_days` reaches the level; empty if only staff grant it. */
    thresholds: AmountsSchema,
    period_days: Nullable(Type.Integer()),
  }),
);
export type LevelList = Static<typeof LevelListSchema>;

export const OwnLevelSchema = Type.Object({
  /** null: the shopper has no level yet. */
  id: Nullable(Type.Integer()),
  /** Present if staff granted the level; `until` is null if the grant does not expire. */
  given: Nullable(Type.Object({ until: Nullable(TimeSchema) })),
  next: Nullable(
    Type.Object({
      id: Type.Integer(),
      spent: AmountsSchema,
      /** Spending that is missing per currency; reaching it in one currency is enough. */
      missing: AmountsSchema,
    }),
  ),
});
export type OwnLevel = Static<typeof OwnLevelSchema>;
