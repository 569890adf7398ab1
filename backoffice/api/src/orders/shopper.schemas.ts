import { InstantSchema } from '@shop/server/platform/http/edit-schemas';
import { IdSchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { EditKeySchema } from '../edits/edits.schemas';
import { FoundUserSchema } from './find.schemas';
import { reasonSchema } from './refunds.schemas';

export const ShopperChangeBodySchema = Type.Object({
  id: IdSchema,
  /** False also ends the sessions. */
  is_usable: Type.Optional(Type.Boolean()),
  is_vip: Type.Optional(Type.Boolean()),
  wallet_locked: Type.Optional(Type.Boolean()),
  reason: reasonSchema,
});
export type ShopperChangeBody = Static<typeof ShopperChangeBodySchema>;

export const GiveCouponBodySchema = Type.Object({
  id: IdSchema,
  coupon: Type.String({ minLength: 1, maxLength: 60 }),
});

export const GiveLevelBodySchema = Type.Object({
  id: IdSchema,
  /** The key from the list of levels; null withdraws the granted level. */
  level: Nullable(EditKeySchema),
  until: Nullable(InstantSchema),
  reason: reasonSchema,
});
export type GiveLevelBody = Static<typeof GiveLevelBodySchema>;

export const ExportShopperBodySchema = Type.Object({ id: IdSchema });

export const EraseShopperBodySchema = Type.Object({ id: IdSchema, reason: reasonSchema });

export const ClosingSchema = Type.Object({
  user: FoundUserSchema,
  closed_at: TimeSchema,
  erased_at: TimeSchema,
  /** Any of balance, orders, recharges, refunds, disputes. */
  waits_for: Type.Array(Type.String()),
});
export type Closing = Static<typeof ClosingSchema>;
