import { anyText } from '@shop/server/platform/http/body-validator';
import { Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';

export const StaffRoleSchema = Type.Union([
  Type.Literal('seller'),
  Type.Literal('stock'),
  Type.Literal('money'),
  Type.Literal('manager'),
  Type.Literal('ops'),
]);
export const StaffNameSchema = Type.String({ pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,39}$' });
const CodeSchema = Type.String({ pattern: '^\\d{6}$' });
const PasswordSchema = Type.String({ minLength: 1, maxLength: 200, ...anyText });

export const StaffSignInBodySchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  password: PasswordSchema,
  code: CodeSchema,
});
export const StaffMeSchema = Type.Object({ name: Type.String(), role: StaffRoleSchema });
export type StaffMe = Static<typeof StaffMeSchema>;
export const StaffCodeBodySchema = Type.Object({ code: CodeSchema });
export const StaffDoneSchema = Type.Object({ done: Type.Boolean() });
export const StaffPasswordBodySchema = Type.Object({ current: PasswordSchema, password: PasswordSchema });

export const StaffPersonSchema = Type.Object({
  name: Type.String(),
  role: StaffRoleSchema,
  created_at: TimeSchema,
  disabled_at: Nullable(TimeSchema),
  /** Has chosen a password. */
  is_set_up: Type.Boolean(),
});
export type StaffListed = Static<typeof StaffPersonSchema>;
export const StaffPeopleSchema = Type.Array(StaffPersonSchema);
export const StaffAddBodySchema = Type.Object({ name: StaffNameSchema, role: StaffRoleSchema });
export const StaffNameBodySchema = Type.Object({ name: StaffNameSchema });
export const StaffChangeBodySchema = Type.Object({
  name: StaffNameSchema,
  role: Type.Optional(StaffRoleSchema),
  disabled: Type.Optional(Type.Boolean()),
});
/** The token is shown once; it stands behind the # of /staff/setup. */
export const StaffInvitationSchema = Type.Object({ name: Type.String(), token: Type.String(), expires_at: TimeSchema });
export type StaffInvitationShown = Static<typeof StaffInvitationSchema>;

/** What is no token is refused like one that is not good. */
const TokenSchema = Type.String({ maxLength: 1000 });
export const StaffTokenBodySchema = Type.Object({ token: TokenSchema });
/** The name is null for a new manager. */
export const StaffInvitedSchema = Type.Object({ name: Nullable(Type.String()), role: StaffRoleSchema });
export type StaffInvited = Static<typeof StaffInvitedSchema>;
export const StaffChoiceBodySchema = Type.Object({
  token: TokenSchema,
  name: Type.Optional(StaffNameSchema),
  password: PasswordSchema,
});
export const StaffAuthenticatorSchema = Type.Object({
  address: Type.String(),
  /** The address as a QR code: the sides of its square, and 1 for each dark field, row by row. */
  qr: Type.Object({ size: Type.Integer(), fields: Type.String() }),
});
export type StaffAuthenticator = Static<typeof StaffAuthenticatorSchema>;
export const StaffSetupBodySchema = Type.Object({ ...StaffChoiceBodySchema.properties, code: CodeSchema });
