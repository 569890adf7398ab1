import { exact, oneOf } from '@shop/server/platform/http/edit-schemas';
import { CurrencySchema, IdSchema, MoneySchema, Nullable, Paged, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';

const AmountSchema = Type.String({ pattern: '^(?=.*[1-9])\\d{1,7}(\\.\\d{1,2})?$' });

/** How invitations count, as people edit it. What was promised to whoever registered before stays. */
export const StaffInviteSettingsSchema = exact({
  enabled: Type.Boolean(),
  percent: Type.Integer({ minimum: 1, maximum: 50 }),
  orders: Type.Integer({ minimum: 1, maximum: 100 }),
  within_days: Type.Integer({ minimum: 1, maximum: 365 }),
  hold_days: Type.Integer({ minimum: 1, maximum: 90 }),
  people_per_day: Type.Integer({ minimum: 1, maximum: 1000 }),
  per_day: exact({ CNY: AmountSchema, USD: AmountSchema }),
});
export type StaffInviteSettings = Static<typeof StaffInviteSettingsSchema>;

const StateSchema = oneOf(['counts', 'held', 'refused'] as const);

export const InvitesQuerySchema = Type.Object({
  state: Type.Optional(StateSchema),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
});
export type InvitesQuery = Static<typeof InvitesQuerySchema>;

const SumsSchema = Type.Object({
  currency: CurrencySchema,
  waiting: MoneySchema,
  /** Less what was taken back. */
  paid: MoneySchema,
  taken_back: MoneySchema,
  /** Still to be taken back: the wallet holds less. */
  owed: MoneySchema,
});
export type StaffInviteSums = Static<typeof SumsSchema>;

/** Masked; one of both, and neither of an account by WeChat or one that is closed. */
const PersonSchema = Type.Object({ id: Type.Integer(), phone: Type.String(), sign_in_email: Type.String() });
export const StaffInviteSchema = Type.Object({
  invitee: PersonSchema,
  inviter: PersonSchema,
  state: StateSchema,
  reasons: Type.Array(oneOf(['own-device', 'device', 'network', 'day', 'email', 'payment'] as const)),
  registered_at: TimeSchema,
  ends_at: TimeSchema,
  counted: Type.Integer(),
  orders: Type.Integer(),
  percent: Type.Integer(),
  sums: Type.Array(SumsSchema),
  decided_by: Nullable(Type.String()),
  decided_at: Nullable(TimeSchema),
});
export type StaffInvite = Static<typeof StaffInviteSchema>;
export const StaffInvitesSchema = Paged(StaffInviteSchema);

export const InviteFiguresSchema = Type.Object({
  counts: Type.Integer(),
  held: Type.Integer(),
  refused: Type.Integer(),
  sums: Type.Array(SumsSchema),
});
export type StaffInviteFigures = Static<typeof InviteFiguresSchema>;

export const InviteDecisionBodySchema = Type.Object({
  /** Whoever was invited. */
  id: IdSchema,
  /** false: it is refused. */
  counts: Type.Boolean(),
});
export type InviteDecisionBody = Static<typeof InviteDecisionBodySchema>;
