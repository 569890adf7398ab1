import type { DomainOptions, DomainRoutes } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import { fieldError, ShopError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { foreignPictures } from '@shop/server/platform/http/picture-origins';
import { answer } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { create as createQr } from 'qrcode';
import { articleRoutes } from './articles/articles.routes';
import { auditRoutes } from './audit.routes';
import { callsFor } from './calls';
import { codesRoutes } from './codes/codes.routes';
import { configRoutes } from './config.routes';
import { couponRoutes } from './coupons/coupons.routes';
import { pictureRoutes } from './edits/pictures.routes';
import { enquiryRoutes } from './enquiries.routes';
import { findRoutes } from './find.routes';
import { goodsRoutes } from './goods/goods.routes';
import { holdRoutes } from './holds/holds.routes';
import { homeRoutes } from './home/home.routes';
import { acceptInvitation, authenticatorAddress, readInvitation } from './invitations.service';
import { levelRoutes } from './levels/levels.routes';
import {
  addStaff,
  changeStaff,
  changeStaffPassword,
  type InvitedPerson,
  listStaff,
  resetStaff,
  type StaffPerson,
} from './people.service';
import { queueRoutes } from './queue.routes';
import { refundRoutes } from './refunds.routes';
import { reportRoutes } from './reports.routes';
import { shopperRoutes } from './shopper.routes';
import {
  StaffAddBodySchema,
  type StaffAuthenticator,
  StaffAuthenticatorSchema,
  StaffChangeBodySchema,
  StaffChoiceBodySchema,
  StaffCodeBodySchema,
  StaffDoneSchema,
  StaffInvitationSchema,
  type StaffInvitationShown,
  StaffInvitedSchema,
  type StaffListed,
  StaffMeSchema,
  StaffNameBodySchema,
  StaffPasswordBodySchema,
  StaffPeopleSchema,
  StaffPersonSchema,
  StaffSetupBodySchema,
  StaffSignInBodySchema,
  StaffTokenBodySchema,
} from './staff.schemas';
import {
  type AdmitStaff,
  guardStaffCalls,
  servesEverybody,
  servesGuests,
  setSessionCookie,
  staffOf,
} from './staff-access';
import { type OpenedSession, proveCode, signIn, signOut } from './staff-sessions.service';
import { walletRoutes } from './wallet.routes';

const routesOfDomains = [
  auditRoutes,
  queueRoutes,
  holdRoutes,
  findRoutes,
  shopperRoutes,
  refundRoutes,
  walletRoutes,
  enquiryRoutes,
  goodsRoutes,
  codesRoutes,
  pictureRoutes,
  couponRoutes,
  levelRoutes,
  articleRoutes,
  homeRoutes,
  reportRoutes,
  configRoutes,
];

/** The calls of the staff console. */
export const staffRoutes: DomainRoutes<DomainOptions & { admit: AdmitStaff }> = async (app, { admit, ...options }) => {
  const { context } = options;
  const { db } = context;
  guardStaffCalls(app, admit);
  const signedIn = (request: FastifyRequest, reply: FastifyReply, { token, person }: OpenedSession) => {
    setSessionCookie(request, reply, token);
    return ok(request, person);
  };
  app.addHook('preHandler', async ({ body, locale }) => {
    const { value } = (body ?? {}) as { value?: unknown };
    const foreign = foreignPictures(value, context.config.pictureOrigins);
    if (foreign.length === 0) return;
    throw fieldError(Object.fromEntries(foreign.map((field) => [`value.${field}`, fieldText('picture', locale)])));
  });
  for (const routes of routesOfDomains) routes(app, options);

  app.post(
    '/staff/api/session',
    { ...servesGuests, schema: { body: StaffSignInBodySchema, response: answer(StaffMeSchema) } },
    async (request, reply) => {
      return signedIn(request, reply, await signIn(context, { ...request.body, address: request.ip }));
    },
  );
  app.get(
    '/staff/api/session',
    { ...servesEverybody, schema: { response: answer(StaffMeSchema) } },
    async (request) => {
      const { name, role } = staffOf(request);
      return ok(request, { name, role });
    },
  );
  app.delete(
    '/staff/api/session',
    { ...servesEverybody, schema: { response: answer(StaffDoneSchema) } },
    async (request, reply) => {
      await signOut(db, staffOf(request));
      setSessionCookie(request, reply, null);
      return ok(request, { done: true });
    },
  );
  app.post(
    '/staff/api/session/code',
    { ...servesEverybody, schema: { body: StaffCodeBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await proveCode(context, staffOf(request), request.body.code);
      return ok(request, { done: true });
    },
  );
  app.post(
    '/staff/api/password',
    { ...servesEverybody, schema: { body: StaffPasswordBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await changeStaffPassword(context, staffOf(request), request.body);
      return ok(request, { done: true });
    },
  );

  app.post(
    '/staff/api/setup/read',
    { ...servesGuests, schema: { body: StaffTokenBodySchema, response: answer(StaffInvitedSchema) } },
    async (request) => ok(request, await readInvitation(context, request.body.token, request.ip)),
  );
  app.post(
    '/staff/api/setup/authenticator',
    { ...servesGuests, schema: { body: StaffChoiceBodySchema, response: answer(StaffAuthenticatorSchema) } },
    async (request) => {
      const address = await authenticatorAddress(context, { ...request.body, address: request.ip });
      return ok(request, { address, qr: qrOf(address) });
    },
  );
  app.post(
    '/staff/api/setup',
    { ...servesGuests, schema: { body: StaffSetupBodySchema, response: answer(StaffMeSchema) } },
    async (request, reply) =>
      signedIn(request, reply, await acceptInvitation(context, { ...request.body, address: request.ip })),
  );

  const people = callsFor(app, 'manager');
  people.get('people', { answer: StaffPeopleSchema }, async () => (await listStaff(options.reads)).map(toListed));
  people.post(
    'people',
    { freshCode: true, body: StaffAddBodySchema, answer: StaffInvitationSchema },
    async ({ body }) => toShown(await addStaff(context, body.name, body.role)),
  );
  people.post(
    'people/change',
    { freshCode: true, body: StaffChangeBodySchema, answer: StaffPersonSchema },
    async ({ body }) => toListed(known(await changeStaff(context, body.name, body))),
  );
  people.post(
    'people/reset',
    { freshCode: true, body: StaffNameBodySchema, answer: StaffInvitationSchema },
    async ({ body }) => toShown(known(await resetStaff(context, body.name))),
  );
};

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new ShopError(ErrorCode.NotFound);
  return found;
}

const toListed = ({ name, role, created_at, disabled_at, is_set_up }: StaffPerson): StaffListed => ({
  name,
  role,
  created_at: created_at.toISOString(),
  disabled_at: disabled_at?.toISOString() ?? null,
  is_set_up,
});

const toShown = ({ expires_at, ...invited }: InvitedPerson): StaffInvitationShown => ({
  ...invited,
  expires_at: expires_at.toISOString(),
});

function qrOf(address: string): StaffAuthenticator['qr'] {
  const { modules } = createQr(address);
  return { size: modules.size, fields: [...modules.data].map((one) => (one ? 1 : 0)).join('') };
}
