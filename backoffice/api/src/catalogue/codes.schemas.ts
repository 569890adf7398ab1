import { anyText, ofLines } from '@shop/server/platform/http/body-validator';
import { EditKeySchema } from '@shop/server/platform/http/edit-schemas';
import { CurrencySchema, IdSchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';

export const PlaceSchema = Type.Object({ goods: EditKeySchema, spec: EditKeySchema });
export type Place = Static<typeof PlaceSchema>;

const ReasonSchema = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

const TextSchema = Type.String({ minLength: 1, maxLength: 500_000, ...anyText });
/** It is empty if each line names its own product and specification. */
const MaybeKeySchema = Type.String({ pattern: '^[\\w.+-]{0,60}$' });
export const CodesBodySchema = Type.Object({
  goods: MaybeKeySchema,
  spec: MaybeKeySchema,
  text: TextSchema,
  /** Staff have confirmed that numbers which the shop has with another password are other codes. */
  same_numbers: Type.Optional(Type.Boolean()),
});
export type CodesBody = Static<typeof CodesBodySchema>;

export const BatchSchema = Type.Object({
  /** Empty: the time of the import. */
  name: Type.String({ maxLength: 60 }),
  supplier: Type.String({ maxLength: 60 }),
  /** This is the cost of one code. */
  cost: Type.Optional(Nullable(Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,2})?$' }))),
  currency: CurrencySchema,
});
export type StaffBatch = Static<typeof BatchSchema>;
export const BatchesQuerySchema = Type.Object({
  id: Type.Optional(IdSchema),
  /** Batches with an export that waits for a second staff member. */
  waiting: Type.Optional(Type.Boolean()),
  before: Type.Optional(IdSchema),
});
export type BatchesQuery = Static<typeof BatchesQuerySchema>;
export const BatchSaveBodySchema = Type.Object({ id: IdSchema, ...BatchSchema.properties });
export const EndBatchBodySchema = Type.Object({ id: IdSchema, reason: ReasonSchema });
export type EndBatchBody = Static<typeof EndBatchBodySchema>;

export const ImportCodesBodySchema = Type.Object({
  ...CodesBodySchema.properties,
  only_good: Type.Boolean(),
  batch: Type.Optional(BatchSchema),
});
export type ImportCodesBody = Static<typeof ImportCodesBodySchema>;

export const CodesQuerySchema = Type.Object({
  ...PlaceSchema.properties,
  tail: Type.Optional(Type.String({ maxLength: 20 })),
  before: Type.Optional(IdSchema),
});
export const FreeCodesSchema = Type.Array(
  Type.Object({
    id: Type.Integer(),
    number: Type.String(),
    created_at: TimeSchema,
    expire_at: Nullable(TimeSchema),
    /** The name of its batch; null for a code from before batches. */
    batch: Nullable(Type.String()),
    batch_id: Nullable(Type.Integer()),
  }),
);
export type StaffFreeCode = Static<typeof FreeCodesSchema>[number];
export const VoidCodesBodySchema = Type.Object({
  ids: Type.Array(IdSchema, { minItems: 1, maxItems: 500 }),
  reason: ReasonSchema,
});
export const StockSaveBodySchema = Type.Object({
  ...PlaceSchema.properties,
  low_stock: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** Change of a counter, in pieces. */
  add: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
});
export type StockSaveBody = Static<typeof StockSaveBodySchema>;

export const ShareCodeBodySchema = Type.Object({
  ...PlaceSchema.properties,
  /** Absent: the text stays. */
  text: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S', ...ofLines })),
  /** Starts a counter; null means no limit. Absent: the stock stays. `stock/save` changes a counter that runs. */
  stock: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
});
export type ShareCodeBody = Static<typeof ShareCodeBodySchema>;
