import { type Static, Type } from 'typebox';
import { CurrencySchema, EmailSchema, IdSchema, MoneySchema, TimeSchema } from '../../platform/http/schemas';

export const UserInfoSchema = Type.Object({
  id: Type.Integer(),
  avatar: Type.String(),
  /** Balance in the currency of the Currency header; `balances` has every currency. */
  balance: MoneySchema,
  balances: Type.Object({ CNY: MoneySchema, USD: MoneySchema }),
  frozen: MoneySchema,
  currency: CurrencySchema,
  /** YYYY-MM-DD or empty. */
  birthday: Type.String(),
  email: Type.String(),
  /** Masked. */
  id_card_code: Type.String(),
  is_real: Type.Integer(),
  is_usable: Type.Integer(),
  is_vip: Type.Boolean(),
  name: Type.String(),
  nickname: Type.String(),
  openid: Type.String(),
  phone: Type.String(),
  /** Set for an account without a phone; `email` is the profile's and proves nothing. */
  sign_in_email: Type.String(),
  /** 0 unknown, 1 male, 2 female. */
  sex: Type.Integer(),
  has_password: Type.Boolean(),
  /** Empty while invitations are closed, because the code would have no effect. */
  invite_code: Type.String(),
  unread_notices: Type.Integer(),
});
export type UserInfo = Static<typeof UserInfoSchema>;

export const UpdateUserBodySchema = Type.Object(
  {
    nickname: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
    avatar: Type.Optional(Type.String({ maxLength: 300 })),
    sex: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)])),
    birthday: Type.Optional(Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' })),
    email: Type.Optional(EmailSchema),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    id_card_code: Type.Optional(Type.String({ minLength: 6, maxLength: 24 })),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type UpdateUserBody = Static<typeof UpdateUserBodySchema>;
export const updateUserCall = { body: UpdateUserBodySchema, data: UserInfoSchema };

export const GameAccountSchema = Type.Object({
  id: Type.Integer(),
  goods_id: Type.Integer(),
  label: Type.String(),
  fields: Type.Record(Type.String(), Type.String()),
  created_at: TimeSchema,
});
export type GameAccount = Static<typeof GameAccountSchema>;
export const GameAccountQuerySchema = Type.Object({ goods_id: Type.Optional(IdSchema) });
export const gameAccountsCall = { query: GameAccountQuerySchema, data: Type.Array(GameAccountSchema) };
export const SaveGameAccountBodySchema = Type.Object({
  goods_id: IdSchema,
  label: Type.Optional(Type.String({ maxLength: 40 })),
  fields: Type.Record(Type.String(), Type.String({ maxLength: 200 }), { maxProperties: 20 }),
});
export type SaveGameAccountBody = Static<typeof SaveGameAccountBodySchema>;
export const saveGameAccountCall = { body: SaveGameAccountBodySchema, data: GameAccountSchema };
export const DeleteGameAccountQuerySchema = Type.Object({ id: IdSchema });
export const DeletedAnswerSchema = Type.Object({ deleted: Type.Boolean() });
export const deleteGameAccountCall = { query: DeleteGameAccountQuerySchema, data: DeletedAnswerSchema };
