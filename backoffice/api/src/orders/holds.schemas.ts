import { exact, oneOf } from '@shop/server/platform/http/edit-schemas';
import { Nullable } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { QueueOrderBodySchema } from './queue.schemas';
import { keySchema, refundAnswers } from './refunds.schemas';

/** Empty: the rule is off. */
const AmountSchema = Type.String({ pattern: '^((?=.*[1-9])\\d{1,7}(\\.\\d{1,2})?)?$' });

/** The rules that put paid orders on hold, as staff edit them. A rule whose value is null or empty is off. */
export const StaffHoldSettingsSchema = exact({
  enabled: Type.Boolean(),
  from: exact({ CNY: AmountSchema, USD: AmountSchema }),
  new_account_hours: Nullable(Type.Integer({ minimum: 1, maximum: 8760 })),
  codes_per_hour: Nullable(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** Country codes of two letters, separated by commas. */
  countries: Type.String({ maxLength: 200, pattern: '^([A-Z]{2}(, ?[A-Z]{2})*)?$' }),
  networks: Type.Boolean(),
  minutes: Type.Integer({ minimum: 5, maximum: 30 }),
  at_end: oneOf(['release', 'refund'] as const),
});
export type StaffHoldSettings = Static<typeof StaffHoldSettingsSchema>;

export const RefundHeldBodySchema = Type.Object({
  ...QueueOrderBodySchema.properties,
  key: keySchema,
  ...refundAnswers,
});
export type RefundHeldBody = Static<typeof RefundHeldBodySchema>;
