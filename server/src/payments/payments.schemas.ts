import { type Static, Type } from 'typebox';
import { anyText } from '../platform/http/body-validator';
import { CodeSchema, CurrencySchema, MoneySchema, Nullable, NumberSchema, TimeSchema } from '../platform/http/schemas';

export const PaymentMethodsQuerySchema = Type.Object({
  scene: Type.Optional(Type.Union([Type.Literal('order'), Type.Literal('recharge')])),
});
export const PaymentMethodSchema = Type.Object({
  /** balance, sandbox, wechat, alipay, stripe */
  code: Type.String(),
  name: Type.String(),
  icon: Type.String(),
  fee: MoneySchema,
  min: MoneySchema,
  max: MoneySchema,
  enabled: Type.Boolean(),
  reason: Type.String(),
});
export type PaymentMethod = Static<typeof PaymentMethodSchema>;
export const methodsCall = { query: PaymentMethodsQuerySchema, data: Type.Array(PaymentMethodSchema) };

export const BalancePaymentSchema = Type.Object({
  order_no: Type.String(),
  status: Type.Integer(),
  delivery_status: Type.Integer(),
  balance: MoneySchema,
  server_time: TimeSchema,
});
export type BalancePayment = Static<typeof BalancePaymentSchema>;
export const balanceCall = { body: Type.Object({ order_no: NumberSchema }), data: BalancePaymentSchema };

export const WalletProofBodySchema = Type.Object({
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 128, ...anyText })),
  verify: Type.Optional(CodeSchema),
});
export type WalletProofBody = Static<typeof WalletProofBodySchema>;
export const WalletProofSchema = Type.Object({
  /** Seconds in which this session may spend any amount. */
  expires_in: Type.Integer(),
});
export type WalletProof = Static<typeof WalletProofSchema>;
export const proofCall = { body: WalletProofBodySchema, data: WalletProofSchema };

/** Exactly one of order_no and recharge_no. */
export const OnlinePaymentBodySchema = Type.Object({
  order_no: Type.Optional(NumberSchema),
  recharge_no: Type.Optional(NumberSchema),
  method: Type.String({ minLength: 1, maxLength: 20, pattern: '^[a-z]+$' }),
});
export type OnlinePaymentBody = Static<typeof OnlinePaymentBodySchema>;
export const OnlinePaymentSchema = Type.Object({
  payment_no: Type.String(),
  /** redirect: go to pay_url in this window; this page of the shop redirects to the provider's. */
  mode: Type.String(),
  pay_url: Type.String(),
  expire_at: TimeSchema,
});
export type OnlinePayment = Static<typeof OnlinePaymentSchema>;
export const onlineCall = { body: OnlinePaymentBodySchema, data: OnlinePaymentSchema };

export const PaymentStatusSchema = Type.Object({
  payment_no: Type.String(),
  /** pending | paid | failed | closed */
  state: Type.String(),
  scene: Type.String(),
  method: Type.String(),
  amount: MoneySchema,
  currency: CurrencySchema,
  order_no: Nullable(Type.String()),
  recharge_no: Nullable(Type.String()),
  paid_at: Nullable(TimeSchema),
});
export type PaymentStatus = Static<typeof PaymentStatusSchema>;
export const statusCall = { query: Type.Object({ payment_no: NumberSchema }), data: PaymentStatusSchema };
export const PaymentCallbackParamsSchema = Type.Object({ method: Type.String({ maxLength: 20 }) });
export const PaymentCallbackAnswerSchema = Type.Object({ result: Type.String() });
