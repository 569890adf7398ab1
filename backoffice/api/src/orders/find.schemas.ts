import { ofLines } from '@shop/server/platform/http/body-validator';
import { CurrencySchema, IdSchema, MoneySchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import type { LedgerType } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';

export const NoteBodySchema = Type.Object({
  id: IdSchema,
  note: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', ...ofLines }),
});

export const FoundUserSchema = Type.Object({
  id: Type.Integer(),
  phone: Type.String(),
  /** Set for an account without a phone. */
  sign_in_email: Type.String(),
  /** From the profile; unverified. */
  email: Type.String(),
  nickname: Type.String(),
  is_usable: Type.Boolean(),
  created_at: TimeSchema,
});
export type FoundUser = Static<typeof FoundUserSchema>;

export const FoundOrderSchema = Type.Object({
  order_no: Type.String(),
  name: Type.String(),
  face_value: Type.String(),
  quantity: Type.Integer(),
  status: Type.Integer(),
  closed: Type.Boolean(),
  amount: MoneySchema,
  refunded: MoneySchema,
  currency: CurrencySchema,
  created_at: TimeSchema,
  user_id: Type.Integer(),
});
export type FoundOrder = Static<typeof FoundOrderSchema>;

export const FoundSchema = Type.Object({
  orders: Type.Array(FoundOrderSchema),
  people: Type.Array(FoundUserSchema),
});
export type FoundRecords = Static<typeof FoundSchema>;

const StaffPaymentSchema = Type.Object({
  payment_no: Type.String(),
  method: Type.String(),
  state: Type.String(),
  amount: MoneySchema,
  /** Refunded by the shop, with pending refunds, or at the provider. */
  paid_back: MoneySchema,
  currency: CurrencySchema,
  provider_ref: Nullable(Type.String()),
  disputes: Type.String(),
  created_at: TimeSchema,
});
export type StaffPayment = Static<typeof StaffPaymentSchema>;

export const StaffOrderSchema = Type.Object({
  order: FoundOrderSchema,
  user: FoundUserSchema,
  pay_method: Nullable(Type.String()),
  paid_at: Nullable(TimeSchema),
  disputed: Type.Boolean(),
  refund_state: Type.String(),
  reveals: Type.Array(TimeSchema),
  /** Its delivered codes that are not voided, masked except for their ends. */
  codes: Type.Array(Type.Object({ id: Type.Integer(), number: Type.String() })),
  supplier: Nullable(
    Type.Object({ supplier: Type.String(), state: Type.Integer(), tries: Type.Integer(), detail: Type.String() }),
  ),
  events: Type.Array(
    Type.Object({
      at: TimeSchema,
      kind: Type.String(),
      text: Type.String(),
      note: Type.String(),
      actor: Type.String(),
    }),
  ),
  payments: Type.Array(StaffPaymentSchema),
  refunds: Type.Array(
    Type.Object({
      refund_no: Type.String(),
      amount: MoneySchema,
      target: Type.String(),
      state: Type.String(),
      reason: Type.String(),
      at: TimeSchema,
    }),
  ),
  acts: Type.Array(Type.Object({ at: TimeSchema, actor: Type.String(), action: Type.String() })),
});
export type StaffOrder = Static<typeof StaffOrderSchema>;

const LevelNameSchema = Type.Object({ key: Type.String(), name: Type.String() });

export const StaffShopperSchema = Type.Object({
  user: FoundUserSchema,
  is_vip: Type.Boolean(),
  /** `own` is the level that applies; `given` was granted by staff. */
  level: Type.Object({
    own: Nullable(LevelNameSchema),
    given: Nullable(
      Type.Object({ ...LevelNameSchema.properties, until: Nullable(TimeSchema), by: Type.String(), at: TimeSchema }),
    ),
  }),
  notes: Type.Array(Type.Object({ id: Type.Integer(), at: TimeSchema, by: Type.String(), note: Type.String() })),
  wallets: Type.Array(
    Type.Object({ currency: CurrencySchema, balance: MoneySchema, frozen: MoneySchema, locked: Type.Boolean() }),
  ),
  orders: Type.Array(FoundOrderSchema),
  payments: Type.Array(StaffPaymentSchema),
  ledger: Type.Array(
    Type.Object({
      id: Type.Integer(),
      at: TimeSchema,
      type: Type.Unsafe<LedgerType>(Type.Integer()),
      amount: MoneySchema,
      balance_after: MoneySchema,
      currency: CurrencySchema,
      order_no: Nullable(Type.String()),
      remark: Type.String(),
    }),
  ),
  coupons: Type.Array(
    Type.Object({ id: Type.Integer(), name: Type.String(), use_status: Type.Integer(), end_time: TimeSchema }),
  ),
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      browser: Type.String(),
      system: Type.String(),
      created_at: TimeSchema,
      seen_at: TimeSchema,
    }),
  ),
});
export type StaffShopper = Static<typeof StaffShopperSchema>;
