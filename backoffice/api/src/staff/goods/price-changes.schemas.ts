import { CurrencySchema, IdSchema, MoneySchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { EditKeySchema } from '../edits/edits.schemas';
import { PricesSchema } from './goods.schemas';

const MomentSchema = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2})$',
});
export const PriceChangeBodySchema = Type.Object({
  goods: EditKeySchema,
  /** null: of one unit of a custom value. */
  spec: Nullable(EditKeySchema),
  prices: PricesSchema,
  starts_at: MomentSchema,
  /** null: for good. */
  ends_at: Nullable(MomentSchema),
});
export type PriceChangeBody = Static<typeof PriceChangeBodySchema>;
/** off_sale: it waits or runs, and its value is not sold; it goes on when the value is back. */
export const priceChangeStates = ['waiting', 'running', 'off_sale', 'done', 'cancelled', 'failed', 'missed'] as const;
export const PriceChangesSchema = Type.Array(
  Type.Object({
    id: Type.Integer(),
    spec: Nullable(Type.String()),
    prices: Type.Array(Type.Object({ currency: CurrencySchema, price: MoneySchema })),
    starts_at: TimeSchema,
    ends_at: Nullable(TimeSchema),
    state: Type.Unsafe<(typeof priceChangeStates)[number]>({ enum: [...priceChangeStates] }),
    asked_by: Type.String(),
  }),
);
export type StaffPriceChange = Static<typeof PriceChangesSchema>[number];
export const PriceChangeIdSchema = Type.Object({ id: IdSchema });
