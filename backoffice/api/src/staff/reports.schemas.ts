import { CurrencySchema, MoneySchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';

export const DaySchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

export const ReportsQuerySchema = Type.Object({
  from: DaySchema,
  /** Included. */
  to: DaySchema,
  /** Minutes that midnight of these days is before midnight UTC: 480 for China. */
  offset: Type.Integer({ minimum: -720, maximum: 840, default: 0 }),
});
export type ReportsQuery = Static<typeof ReportsQuerySchema>;

const sums = {
  currency: CurrencySchema,
  /** Orders that were paid. */
  orders: Type.Integer(),
  /** By the ledger; refunds include what went back at the provider. net = sales - refunds. */
  sales: MoneySchema,
  refunds: MoneySchema,
  net: MoneySchema,
  /** What came from payers, for orders and top-ups, and what went back to them. */
  received: MoneySchema,
  paid_out: MoneySchema,
  /** What all wallets hold at the end, frozen money too. */
  liabilities: MoneySchema,
  payments: Type.Integer(),
  failed_payments: Type.Integer(),
};
export const ReportDaySchema = Type.Object({ day: DaySchema, ...sums });
export type ReportDay = Static<typeof ReportDaySchema>;
export const ReportTotalSchema = Type.Object(sums);
export type ReportTotal = Static<typeof ReportTotalSchema>;

export const ReconciledSchema = Type.Object({
  day: DaySchema,
  method: Type.String(),
  entries: Type.Integer(),
  differences: Type.Integer(),
  run_at: TimeSchema,
});
export type Reconciled = Static<typeof ReconciledSchema>;

export const ReconcileBodySchema = Type.Object({ day: DaySchema });
export const ReconciliationsSchema = Type.Array(
  Type.Object({
    method: Type.String(),
    entries: Type.Integer(),
    differences: Type.Array(
      Type.Object({
        /** unknown, not booked, amount, twice, missing. */
        kind: Type.String(),
        entry: Type.String(),
        number: Type.String(),
        payment_no: Type.String(),
        listed: Nullable(MoneySchema),
        booked: Nullable(MoneySchema),
        currency: Type.String(),
      }),
    ),
  }),
);
export type StaffReconciliation = Static<typeof ReconciliationsSchema>[number];

export const LateDeliverySchema = Type.Object({
  order_no: Type.String(),
  supplier: Type.String(),
  detail: Type.String(),
  paid_at: TimeSchema,
});
export type LateDelivery = Static<typeof LateDeliverySchema>;

/** Orders of the span that were not refunded whole, and what steps of quantity or a level took off them. */
export const PriceRuleCostSchema = Type.Object({
  kind: Type.Union([Type.Literal('step'), Type.Literal('level')]),
  /** Of the level as it is called now; empty for steps. */
  name: Type.String(),
  currency: CurrencySchema,
  orders: Type.Integer(),
  /** What they were paid. */
  sales: MoneySchema,
  cost: MoneySchema,
});
export type PriceRuleCost = Static<typeof PriceRuleCostSchema>;

export const ReportsSchema = Type.Object({
  days: Type.Array(ReportDaySchema),
  totals: Type.Array(ReportTotalSchema),
  price_rules: Type.Array(PriceRuleCostSchema),
  reconciled: Type.Array(ReconciledSchema),
  /** Orders of the span that a supplier has delivered after their refund. */
  late: Type.Array(LateDeliverySchema),
});
export type Reports = Static<typeof ReportsSchema>;
