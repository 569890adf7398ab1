import type { DomainRoutes } from '../../context';
import { ok } from '../../platform/http/envelope';
import { pagingOf } from '../../platform/http/paging';
import { answer, PageQuerySchema } from '../../platform/http/schemas';
import { keepInvitation } from '../sessions/visitor';
import {
  InvitationOpenedSchema,
  InvitedPeopleSchema,
  InviteSchema,
  OpenInvitationBodySchema,
} from './invitations.schemas';
import { checkInviteCode, invitedPeople, inviteOf } from './invitations.service';

export const invitationsRoutes: DomainRoutes = async (app, { context: { db }, reads, personReads }) => {
  app.post(
    '/api/front/app/invitation',
    { schema: { body: OpenInvitationBodySchema, response: answer(InvitationOpenedSchema) } },
    async (request, reply) => {
      const { invite_code } = request.body;
      await checkInviteCode(db, reads, invite_code, request.ip);
      keepInvitation(request, reply, invite_code.trim());
      return ok(request, { opened: true as const });
    },
  );
  personReads.serve(app, '/api/front/user/invite', { data: InviteSchema }, (_query, { viewer, locale }) =>
    inviteOf(reads, viewer, locale),
  );
  personReads.serve(
    app,
    '/api/front/user/invite/people',
    { query: PageQuerySchema, data: InvitedPeopleSchema },
    (query, { viewer }) => invitedPeople(reads, viewer, pagingOf(query)),
  );
};
