import type { DomainOptions } from '@shop/server/context';
import { anyText } from '@shop/server/platform/http/body-validator';
import { oneOf } from '@shop/server/platform/http/edit-schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { create as createQr } from 'qrcode';
import { type Static, Type } from 'typebox';
import { callFor } from '../calls';
import { acceptInvitation, authenticatorAddress, readInvitation } from './invitations.service';
import { addStaff, changeStaff, changeStaffPassword, listStaff, resetStaff } from './people.service';
import { staffRoles } from './roles';
import { setSessionCookie } from './staff-access';
import { type OpenedSession, proveCode, signIn, signOut } from './staff-sessions.service';

const StaffRoleSchema = oneOf(staffRoles);
const StaffNameSchema = Type.String({ pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,39}$' });
const CodeSchema = Type.String({ pattern: '^\\d{6}$' });
const PasswordSchema = Type.String({ minLength: 1, maxLength: 200, ...anyText });

const StaffSignInBodySchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  password: PasswordSchema,
  code: CodeSchema,
});
const StaffMeSchema = Type.Object({
  name: Type.String(),
  role: StaffRoleSchema,
  /** The shop's, as an IANA name. The console shows and reads all times in it. */
  time_zone: Type.String(),
});
export type StaffMe = Static<typeof StaffMeSchema>;

const StaffChangeBodySchema = Type.Object({
  name: StaffNameSchema,
  role: Type.Optional(StaffRoleSchema),
  disabled: Type.Optional(Type.Boolean()),
});

/** Malformed tokens are refused like unknown ones. */
const TokenSchema = Type.String({ maxLength: 1000 });
const StaffChoiceBodySchema = Type.Object({
  token: TokenSchema,
  name: Type.Optional(StaffNameSchema),
  password: PasswordSchema,
});
const StaffSetupBodySchema = Type.Object({ ...StaffChoiceBodySchema.properties, code: CodeSchema });

const callForGuests = callFor('guest');
const callForSignedIn = callFor('signed-in');
const call = callFor('people');

/** Sign-in, setup and sessions of staff, and the accounts that managers keep. */
export const peopleCalls = ({ context, reads }: DomainOptions) => {
  const { timeZone: time_zone } = context.config;
  const signedIn = (request: FastifyRequest, reply: FastifyReply, { token, user }: OpenedSession) => {
    setSessionCookie(request, reply, token);
    return { ...user, time_zone };
  };
  return {
    'POST session': callForGuests(
      { body: StaffSignInBodySchema, answer: StaffMeSchema },
      async ({ body, request, reply }) =>
        signedIn(request, reply, await signIn(context, { ...body, address: request.ip })),
    ),
    'GET session': callForSignedIn({ answer: StaffMeSchema }, async ({ staff }) => ({ ...staff, time_zone })),
    'DELETE session': callForSignedIn({}, async ({ staff, request, reply }) => {
      await signOut(context.db, staff);
      setSessionCookie(request, reply, '');
    }),
    'POST session/code': callForSignedIn({ body: Type.Object({ code: CodeSchema }) }, ({ body, staff }) =>
      proveCode(context, staff, body.code),
    ),
    'POST password': callForSignedIn(
      { body: Type.Object({ current: PasswordSchema, password: PasswordSchema }) },
      ({ body, staff }) => changeStaffPassword(context, staff, body),
    ),
    'POST setup/read': callForGuests({ body: Type.Object({ token: TokenSchema }) }, ({ body, request }) =>
      readInvitation(context, body.token, request.ip),
    ),
    'POST setup/authenticator': callForGuests({ body: StaffChoiceBodySchema }, async ({ body, request }) => {
      const address = await authenticatorAddress(context, { ...body, address: request.ip });
      return { address, qr: qrOf(address) };
    }),
    'POST setup': callForGuests(
      { body: StaffSetupBodySchema, answer: StaffMeSchema },
      async ({ body, request, reply }) =>
        signedIn(request, reply, await acceptInvitation(context, { ...body, address: request.ip })),
    ),
    'GET people': call({}, () => listStaff(reads)),
    'POST people': call(
      { freshCode: true, body: Type.Object({ name: StaffNameSchema, role: StaffRoleSchema }) },
      ({ body }) => addStaff(context, body.name, body.role),
    ),
    'POST people/change': call({ freshCode: true, body: StaffChangeBodySchema }, ({ body }) =>
      changeStaff(context, body.name, body),
    ),
    'POST people/reset': call({ freshCode: true, body: Type.Object({ name: StaffNameSchema }) }, ({ body }) =>
      resetStaff(context, body.name),
    ),
  };
};

/** The side length of the QR code, and its fields row by row: 1 is dark. */
function qrOf(address: string) {
  const { modules } = createQr(address);
  return { size: modules.size, fields: [...modules.data].map((isDark) => (isDark ? 1 : 0)).join('') };
}
