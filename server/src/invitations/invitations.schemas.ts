import { type Static, Type } from 'typebox';
import { CurrencySchema, MoneySchema, Paged, TimeSchema } from '../platform/http/schemas';

export const OpenInvitationBodySchema = Type.Object({ invite_code: Type.String({ minLength: 1, maxLength: 32 }) });

/** What whoever invites gets: percent of the first orders that are delivered within these days after the registration. */
export const InvitationTermsSchema = Type.Object({
  percent: Type.Integer(),
  orders: Type.Integer(),
  within_days: Type.Integer(),
});
export type InvitationTerms = Static<typeof InvitationTermsSchema>;

export const InviteSchema = Type.Object({
  invite_code: Type.String(),
  ...InvitationTermsSchema.properties,
  /** From the delivery of an order to its reward. */
  hold_days: Type.Integer(),
  /** Most that is paid within 24 hours. */
  per_day: MoneySchema,
  /** Of all people whom one has invited. */
  people: Type.Integer(),
  /** Of the request's currency. paid: less what was taken back. */
  currency: CurrencySchema,
  waiting: MoneySchema,
  paid: MoneySchema,
  taken_back: MoneySchema,
});
export type Invite = Static<typeof InviteSchema>;

export const InvitedPersonSchema = Type.Object({
  /** Masked; empty for an account that was closed. */
  name: Type.String(),
  /** held: the shop looks at it. */
  state: Type.Union([Type.Literal('counts'), Type.Literal('held'), Type.Literal('refused')]),
  registered_at: TimeSchema,
  /** Until when orders count, and how many of how many have. */
  ends_at: TimeSchema,
  counted: Type.Integer(),
  orders: Type.Integer(),
  /** For each currency in which they have ordered. */
  rewards: Type.Array(Type.Object({ currency: CurrencySchema, waiting: MoneySchema, paid: MoneySchema })),
});
export type InvitedPerson = Static<typeof InvitedPersonSchema>;
export const InvitedPeopleSchema = Paged(InvitedPersonSchema);
