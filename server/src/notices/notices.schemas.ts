import { type Static, Type } from 'typebox';
import { IdSchema, LocaleSchema, Nullable } from '../platform/http/schemas';

const KindSchema = Type.String({ minLength: 1, maxLength: 40, pattern: '^[a-z_]+$' });

export const NoticeSettingsSchema = Type.Object({
  /** Null if the shop sends no mail. An unconfirmed address gets none. */
  mail: Nullable(Type.Object({ address: Type.String(), confirmed: Type.Boolean() })),
  /** Null if the shop sends no push messages. */
  push: Nullable(
    Type.Object({
      key: Type.String(),
      browsers: Type.Integer(),
      here: Type.Boolean(),
    }),
  ),
  kinds: Type.Array(
    Type.Object({ kind: Type.String(), title: Type.String(), mail: Type.Boolean(), push: Type.Boolean() }),
  ),
  language: LocaleSchema,
});
export type NoticeSettings = Static<typeof NoticeSettingsSchema>;

export const NoticeSettingsBodySchema = Type.Object({
  language: Type.Optional(LocaleSchema),
  choices: Type.Optional(
    Type.Array(
      Type.Object({
        kind: KindSchema,
        channel: Type.Union([Type.Literal('mail'), Type.Literal('push')]),
        on: Type.Boolean(),
      }),
      { maxItems: 40 },
    ),
  ),
});
export type NoticeSettingsBody = Static<typeof NoticeSettingsBodySchema>;
export const saveSettingsCall = { body: NoticeSettingsBodySchema, data: NoticeSettingsSchema };

export const ConfirmationSentSchema = Type.Object({ address: Type.String() });

const Base64urlSchema = Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_-]+=*$' });
export const PushSubscriptionBodySchema = Type.Object({
  endpoint: Type.String({ minLength: 10, maxLength: 1000, pattern: '^https?://[!-~]+$' }),
  p256dh: Base64urlSchema,
  auth: Base64urlSchema,
});
export type PushSubscriptionBody = Static<typeof PushSubscriptionBodySchema>;
export const addBrowserCall = { body: PushSubscriptionBodySchema, data: NoticeSettingsSchema };

export const StockWishQuerySchema = Type.Object({ goods_id: IdSchema });
export const StockWishesSchema = Type.Object({ spec_ids: Type.Array(Type.Integer()) });
export const stockWishesCall = { query: StockWishQuerySchema, data: StockWishesSchema };
export const StockWishBodySchema = Type.Object({ spec_id: IdSchema });
export const StockWishStateSchema = Type.Object({
  spec_id: Type.Integer(),
  waiting: Type.Boolean(),
  /** Channels that can notify the user; without any, the request is not stored. */
  channels: Type.Array(Type.String()),
});
export type StockWishState = Static<typeof StockWishStateSchema>;
export const removeStockWishCall = { query: StockWishBodySchema, data: StockWishStateSchema };
export const addStockWishCall = { body: StockWishBodySchema, data: StockWishStateSchema };
