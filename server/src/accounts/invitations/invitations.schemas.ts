import { type Static, Type } from 'typebox';
import { CursorQuery, Paged, TIME_CURSOR, TimeSchema } from '../../platform/http/schemas';

export const OpenInvitationBodySchema = Type.Object({ invite_code: Type.String({ minLength: 1, maxLength: 32 }) });
export const InvitationOpenedSchema = Type.Object({ opened: Type.Literal(true) });
export const openInvitationCall = { body: OpenInvitationBodySchema, data: InvitationOpenedSchema };

export const InviteSchema = Type.Object({
  invite_code: Type.String(),
  coupon: Type.String(),
  people: Type.Integer(),
  coupons: Type.Integer(),
});
export type Invite = Static<typeof InviteSchema>;

const InvitedUserSchema = Type.Object({
  /** Masked; empty for an account that was closed. */
  name: Type.String(),
  /** waiting for a first order, rewarded with a coupon, or refused: the account looks like the inviter's. */
  state: Type.Union([Type.Literal('waiting'), Type.Literal('rewarded'), Type.Literal('refused')]),
  registered_at: TimeSchema,
});
export type InvitedUser = Static<typeof InvitedUserSchema>;
export const InvitedPeopleSchema = Paged(InvitedUserSchema);
export const invitedPeopleCall = { query: CursorQuery(TIME_CURSOR), data: InvitedPeopleSchema };
