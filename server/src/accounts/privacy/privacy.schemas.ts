import { type Static, Type } from 'typebox';
import { anyText } from '../../platform/http/body-validator';
import { CurrencySchema, MoneySchema, Nullable, TimeSchema } from '../../platform/http/schemas';

/** The password, or a code that was sent for the scene "account". */
const proof = {
  password: Type.Optional(Type.String({ maxLength: 128, ...anyText })),
  verify: Type.Optional(Type.String({ maxLength: 12 })),
};

export const ClosureSchema = Type.Object({
  reasons: Type.Array(Type.Enum(['balance', 'orders', 'recharges', 'refunds', 'disputes'])),
  /** Wallets that are not empty; frozen money counts. */
  balances: Type.Array(Type.Object({ currency: CurrencySchema, balance: MoneySchema, frozen: MoneySchema })),
  days: Type.Integer(),
  withdrawn_at: Nullable(TimeSchema),
});
export type Closure = Static<typeof ClosureSchema>;
export type ClosureReason = Closure['reasons'][number];

export const CloseAccountBodySchema = Type.Object(proof);
export type CloseAccountBody = Static<typeof CloseAccountBodySchema>;
export const CloseAccountAnswerSchema = Type.Object({
  close_at: TimeSchema,
});
export type CloseAccountAnswer = Static<typeof CloseAccountAnswerSchema>;
export const closeAccountCall = { body: CloseAccountBodySchema, data: CloseAccountAnswerSchema };

export const ExportBodySchema = Type.Object(proof);
export type ExportBody = Static<typeof ExportBodySchema>;
export const ExportAnswerSchema = Type.Object({
  url: Type.String(),
  /** Seconds. */
  expires_in: Type.Integer(),
});
export const exportCall = { body: ExportBodySchema, data: ExportAnswerSchema };
