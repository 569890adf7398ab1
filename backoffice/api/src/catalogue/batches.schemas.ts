import { CurrencySchema, IdSchema, Nullable } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { EditKeySchema } from '../edits/edits.schemas';

export const ReasonSchema = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });

export const BatchSchema = Type.Object({
  /** Empty: the day and the number of the batch. */
  name: Type.String({ maxLength: 60 }),
  supplier: Type.String({ maxLength: 60 }),
  /** Of one code. */
  cost: Nullable(
    Type.Object({ amount: Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,2})?$' }), currency: CurrencySchema }),
  ),
});
export type StaffBatch = Static<typeof BatchSchema>;

export const BatchesQuerySchema = Type.Object({
  id: Type.Optional(IdSchema),
  /** Batches with codes of this value. */
  goods: Type.Optional(EditKeySchema),
  spec: Type.Optional(EditKeySchema),
  /** Batches with an export that waits for a second staff member. */
  waiting: Type.Optional(Type.Boolean()),
  before: Type.Optional(IdSchema),
});
export type BatchesQuery = Static<typeof BatchesQuerySchema>;

export const BatchSaveBodySchema = Type.Object({ id: IdSchema, ...BatchSchema.properties });
export type BatchSaveBody = Static<typeof BatchSaveBodySchema>;
export const EndBatchBodySchema = Type.Object({ id: IdSchema, reason: ReasonSchema });
export type EndBatchBody = Static<typeof EndBatchBodySchema>;
/** Id of an export. */
export const ExportIdBodySchema = Type.Object({ id: IdSchema });
