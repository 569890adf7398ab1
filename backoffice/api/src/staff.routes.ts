import type { DomainOptions, DomainRoutes } from '@shop/server/context';
import { fieldError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { foreignPictures } from '@shop/server/platform/http/picture-origins';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { create as createQr } from 'qrcode';
import { callFor, registerCalls, type TypesOf } from './calls';
import { catalogueCalls, fileCalls } from './catalogue/catalogue.routes';
import { codesCalls } from './catalogue/codes.routes';
import { chatCalls } from './notices/chats.routes';
import { enquiryCalls } from './orders/enquiries.routes';
import { orderCalls } from './orders/orders.routes';
import { queueCalls } from './orders/queue.routes';
import { acceptInvitation, authenticatorAddress, readInvitation } from './people/invitations.service';
import { addStaff, changeStaff, changeStaffPassword, listStaff, resetStaff } from './people/people.service';
import {
  StaffAddBodySchema,
  StaffChangeBodySchema,
  StaffChoiceBodySchema,
  StaffCodeBodySchema,
  StaffMeSchema,
  StaffNameBodySchema,
  StaffPasswordBodySchema,
  StaffSetupBodySchema,
  StaffSignInBodySchema,
  StaffTokenBodySchema,
} from './people/staff.schemas';
import { type AdmitStaff, guardStaffCalls, setSessionCookie } from './people/staff-access';
import { type OpenedSession, proveCode, signIn, signOut } from './people/staff-sessions.service';
import { auditCalls } from './reports/audit.routes';
import { reportCalls } from './reports/reports.routes';
import { shopCalls } from './shop/shop.routes';

const callForGuests = callFor('guest');
const callForSignedIn = callFor('signed-in');

const sessionCalls = ({ context }: DomainOptions) => {
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
    'POST session/code': callForSignedIn({ body: StaffCodeBodySchema }, ({ body, staff }) =>
      proveCode(context, staff, body.code),
    ),
    'POST password': callForSignedIn({ body: StaffPasswordBodySchema }, ({ body, staff }) =>
      changeStaffPassword(context, staff, body),
    ),
    'POST setup/read': callForGuests({ body: StaffTokenBodySchema }, ({ body, request }) =>
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
  };
};

const call = callFor('people');

const peopleCalls = ({ context, reads }: DomainOptions) => ({
  'GET people': call({}, () => listStaff(reads)),
  'POST people': call({ freshCode: true, body: StaffAddBodySchema }, ({ body }) =>
    addStaff(context, body.name, body.role),
  ),
  'POST people/change': call({ freshCode: true, body: StaffChangeBodySchema }, ({ body }) =>
    changeStaff(context, body.name, body),
  ),
  'POST people/reset': call({ freshCode: true, body: StaffNameBodySchema }, ({ body }) =>
    resetStaff(context, body.name),
  ),
});

const staffCalls = (options: DomainOptions) => ({
  ...sessionCalls(options),
  ...peopleCalls(options),
  ...auditCalls(options),
  ...queueCalls(options),
  ...orderCalls(options),
  ...enquiryCalls(options),
  ...catalogueCalls(options),
  ...codesCalls(options),
  ...shopCalls(options),
  ...chatCalls(options),
  ...reportCalls(options),
});

const fileRoutes: DomainRoutes = async (app, options) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  registerCalls(app, fileCalls(options));
};

export type StaffCalls = TypesOf<ReturnType<typeof staffCalls> & ReturnType<typeof fileCalls>>;

export const staffRoutes: DomainRoutes<DomainOptions & { admit: AdmitStaff }> = async (app, { admit, ...options }) => {
  guardStaffCalls(app, admit);
  app.addHook('preHandler', async ({ body, locale }) => {
    const { value } = (body ?? {}) as { value?: unknown };
    const foreign = foreignPictures(value, options.context.config.pictureOrigins);
    if (foreign.length === 0) return;
    throw fieldError(Object.fromEntries(foreign.map((field) => [`value.${field}`, fieldText('picture', locale)])));
  });
  registerCalls(app, staffCalls(options));
  await app.register(fileRoutes, options);
};

/** The side length of the QR code, and its fields row by row: 1 is dark. */
function qrOf(address: string) {
  const { modules } = createQr(address);
  return { size: modules.size, fields: [...modules.data].map((isDark) => (isDark ? 1 : 0)).join('') };
}
