import { type Static, Type } from 'typebox';
import { anyText } from '../../platform/http/body-validator';
import { CurrencySchema, MoneySchema, Nullable, TimeSchema } from '../../platform/http/schemas';

/** The password, or a code that was sent for the scene "account". */
export const AccountProofSchema = Type.Object({
  password: Type.Optional(Type.String({ maxLength: 128, ...anyText })),
  verify: Type.Optional(Type.String({ maxLength: 12 })),
});
export type AccountProof = Static<typeof AccountProofSchema>;

export const ClosureSchema = Type.Object({
  reasons: Type.Array(Type.Enum(['balance', 'orders', 'recharges', 'refunds', 'disputes'])),
  /** Wallets that are not empty; frozen money counts. */
  balances: Type.Array(Type.Object({ currency: CurrencySchema, balance: MoneySchema, frozen: MoneySchema })),
  days: Type.Integer(),
  withdrawn_at: Nullable(TimeSchema),
});
export type Closure = Static<typeof ClosureSchema>;
export type ClosureReason = Closure['reasons'][number];

export const CloseAccountAnswerSchema = Type.Object({
  close_at: TimeSchema,
});
export type CloseAccountAnswer = Static<typeof CloseAccountAnswerSchema>;
export const closeAccountCall = { body: AccountProofSchema, data: CloseAccountAnswerSchema };

export const ExportAnswerSchema = Type.Object({
  url: Type.String(),
  /** Seconds. */
  expires_in: Type.Integer(),
});
export const exportCall = { body: AccountProofSchema, data: ExportAnswerSchema };
