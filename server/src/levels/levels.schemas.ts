import { type Static, Type } from 'typebox';
import { CurrencySchema, MoneySchema, Nullable, TimeSchema } from '../platform/http/schemas';

const AmountsSchema = Type.Array(Type.Object({ currency: CurrencySchema, amount: MoneySchema }));

/** Levels of the shop, the lowest first; empty in a shop without levels. */
export const LevelListSchema = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    /** What its shoppers pay, in percent of the price. */
    percent: Type.Integer(),
    /** Some products have a price of their own for it. */
    own_prices: Type.Boolean(),
    /** In one of the currencies within the days; empty where only staff give it. */
    thresholds: AmountsSchema,
    period_days: Nullable(Type.Integer()),
  }),
);
export type LevelList = Static<typeof LevelListSchema>;

/** Where the shopper stands. */
export const OwnLevelSchema = Type.Object({
  /** null: none yet */
  id: Nullable(Type.Integer()),
  /** The shop gave it, until then; null for good. */
  given: Nullable(Type.Object({ until: Nullable(TimeSchema) })),
  next: Nullable(
    Type.Object({
      id: Type.Integer(),
      /** What was spent within its days. */
      spent: AmountsSchema,
      /** What is missing, in each of the currencies; one of them is enough. */
      missing: AmountsSchema,
    }),
  ),
});
export type OwnLevel = Static<typeof OwnLevelSchema>;
