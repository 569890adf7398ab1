import { CurrencySchema, IdSchema, NumberSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { keySchema, reasonSchema } from './refunds.schemas';

const KindSchema = Type.Union([
  Type.Literal('credit'),
  Type.Literal('deduct'),
  Type.Literal('freeze'),
  Type.Literal('thaw'),
  Type.Literal('pay-back'),
]);

export const WalletActBodySchema = Type.Object({
  id: IdSchema,
  kind: KindSchema,
  currency: CurrencySchema,
  amount: Type.String({ pattern: '^(?=.*[1-9])\\d{1,10}(\\.\\d{1,2})?$' }),
  payment_no: Type.Optional(NumberSchema),
  reason: reasonSchema,
  key: keySchema,
});
export type WalletActBody = Static<typeof WalletActBodySchema>;
