import { type Static, Type } from 'typebox';
import { anyText } from '../http/body-validator';
import { Nullable, TimeSchema } from '../http/schemas';

export const StaffRoleSchema = Type.Union([
  Type.Literal('seller'),
  Type.Literal('stock'),
  Type.Literal('money'),
  Type.Literal('manager'),
]);
export const StaffNameSchema = Type.String({ pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,39}$' });
const PasswordSchema = Type.String({ minLength: 1, maxLength: 200, ...anyText });

export const StaffSignInBodySchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  password: PasswordSchema,
  code: Type.String({ pattern: '^\\d{6}$' }),
});
export const StaffMeSchema = Type.Object({ name: Type.String(), role: StaffRoleSchema });
export type StaffMe = Static<typeof StaffMeSchema>;
export const StaffDoneSchema = Type.Object({ done: Type.Boolean() });
export const StaffPasswordBodySchema = Type.Object({ current: PasswordSchema, password: PasswordSchema });

export const StaffPersonSchema = Type.Object({
  name: Type.String(),
  role: StaffRoleSchema,
  created_at: TimeSchema,
  disabled_at: Nullable(TimeSchema),
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
/** Shown once. */
export const StaffCredentialsSchema = Type.Object({
  name: Type.String(),
  password: Type.String(),
  address: Type.String(),
  /** The address as a QR code: the sides of its square, and 1 for each dark field, row by row. */
  qr: Type.Object({ size: Type.Integer(), fields: Type.String() }),
});
export type StaffCredentialsShown = Static<typeof StaffCredentialsSchema>;
