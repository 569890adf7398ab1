import { anyText } from '@shop/server/platform/http/body-validator';
import { oneOf } from '@shop/server/platform/http/edit-schemas';
import { type Static, Type } from 'typebox';
import { staffRoles } from './roles';

const StaffRoleSchema = oneOf(staffRoles);
const StaffNameSchema = Type.String({ pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,39}$' });
const CodeSchema = Type.String({ pattern: '^\\d{6}$' });
const PasswordSchema = Type.String({ minLength: 1, maxLength: 200, ...anyText });

export const StaffSignInBodySchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  password: PasswordSchema,
  code: CodeSchema,
});
export const StaffMeSchema = Type.Object({
  name: Type.String(),
  role: StaffRoleSchema,
  /** The shop's, as an IANA name. The console shows and reads all times in it. */
  time_zone: Type.String(),
});
export type StaffMe = Static<typeof StaffMeSchema>;
export const StaffCodeBodySchema = Type.Object({ code: CodeSchema });
export const StaffPasswordBodySchema = Type.Object({ current: PasswordSchema, password: PasswordSchema });

export const StaffAddBodySchema = Type.Object({ name: StaffNameSchema, role: StaffRoleSchema });
export const StaffNameBodySchema = Type.Object({ name: StaffNameSchema });
export const StaffChangeBodySchema = Type.Object({
  name: StaffNameSchema,
  role: Type.Optional(StaffRoleSchema),
  disabled: Type.Optional(Type.Boolean()),
});

/** Malformed tokens are refused like unknown ones. */
const TokenSchema = Type.String({ maxLength: 1000 });
export const StaffTokenBodySchema = Type.Object({ token: TokenSchema });
export const StaffChoiceBodySchema = Type.Object({
  token: TokenSchema,
  name: Type.Optional(StaffNameSchema),
  password: PasswordSchema,
});
export const StaffSetupBodySchema = Type.Object({ ...StaffChoiceBodySchema.properties, code: CodeSchema });
