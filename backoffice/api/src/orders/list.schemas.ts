import { DaySchema, exact, oneOf } from '@shop/server/platform/http/edit-schemas';
import { CurrencySchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { orderValueTexts } from '@shop/shared/domain/lists';
import { type Static, Type } from 'typebox';
import { FileFormatSchema } from '../table-file';
import { FoundOrderSchema } from './find.schemas';

const namesOf = <T extends object>(texts: T) => oneOf(Object.keys(texts) as Array<keyof T & string>);
const stateSchema = namesOf(orderValueTexts.state);
const deliverySchema = namesOf(orderValueTexts.delivery);
const kindSchema = namesOf(orderValueTexts.kind);
/** The first two sort by the time of the order, the others by its amount. */
const sortSchema = oneOf(['newest', 'oldest', 'highest', 'lowest'] as const);
export type OrderSort = Static<typeof sortSchema>;

const KeySchema = Type.String({ minLength: 1, maxLength: 60 });
const AmountSchema = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,2})?$' });

/** Each field is a condition that the orders meet. */
export const OrderFilterSchema = exact({
  /** Key of a product. */
  goods: Type.Optional(KeySchema),
  /** Key of a value of that product. */
  value: Type.Optional(KeySchema),
  state: Type.Optional(stateSchema),
  delivery: Type.Optional(deliverySchema),
  kind: Type.Optional(kindSchema),
  method: Type.Optional(KeySchema),
  currency: Type.Optional(CurrencySchema),
  supplier: Type.Optional(KeySchema),
  /** Key of the coupon that the order uses; a closed or refunded order has returned its coupon. */
  coupon: Type.Optional(KeySchema),
  /** Key of the level whose price the order has. */
  level: Type.Optional(KeySchema),
  /** First and last day on which the orders were placed, in the shop's time zone. */
  from: Type.Optional(DaySchema),
  to: Type.Optional(DaySchema),
  /** Bounds of the amount to pay, both included; they need `currency`. */
  amount_from: Type.Optional(AmountSchema),
  amount_to: Type.Optional(AmountSchema),
});
export type OrderFilter = Static<typeof OrderFilterSchema>;

const sort = Type.Optional(sortSchema);
export const StaffOrdersQuerySchema = exact({
  ...OrderFilterSchema.properties,
  /** `newest` by default; a sort by amount needs `currency`. */
  sort,
  /** `next` of the page before, with the same filter and sort. */
  cursor: Type.Optional(
    Type.String({ maxLength: 40, pattern: '^(newest|oldest|highest|lowest)\\.\\d{1,17}\\.\\d{1,15}$' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30 })),
});
export type StaffOrdersQuery = Static<typeof StaffOrdersQuerySchema>;

/**
 * The file begins with a row of headings. The header `x-total-rows` of the answer is the number of the other rows, so a client can
 * show progress. An export that fails ends the connection before the end of the file.
 */
export const OrderExportQuerySchema = exact({ ...OrderFilterSchema.properties, sort, format: FileFormatSchema });
export type OrderExportQuery = Static<typeof OrderExportQuerySchema>;

const ListedOrderSchema = Type.Object({
  ...FoundOrderSchema.properties,
  kind: kindSchema,
  delivery: deliverySchema,
  pay_method: Nullable(Type.String()),
  /** "stock" is the shop's own stock. */
  supplier: Type.String(),
  coupon: Nullable(Type.String()),
  level: Nullable(Type.String()),
  paid_at: Nullable(TimeSchema),
  /** Masked phone or sign-in email of the buyer; empty for an erased account. */
  contact: Type.String(),
});
export type ListedOrder = Static<typeof ListedOrderSchema>;

export const StaffOrdersSchema = Type.Object({
  list: Type.Array(ListedOrderSchema),
  /** `cursor` of the next page; null after the last one. */
  next: Nullable(Type.String()),
});

export const OrderChoicesQuerySchema = Type.Object({ goods: Type.Optional(KeySchema) });
