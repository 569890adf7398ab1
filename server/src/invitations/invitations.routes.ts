import { limitInviteCodes } from '../accounts/invitations/bind-invitation.service';
import { keepInvitation } from '../accounts/sessions/visitor';
import type { DomainRoutes } from '../context';
import { ok } from '../platform/http/envelope';
import { pagingOf } from '../platform/http/paging';
import { answer, PageQuerySchema } from '../platform/http/schemas';
import {
  InvitationTermsSchema,
  InvitedPeopleSchema,
  InviteSchema,
  OpenInvitationBodySchema,
} from './invitations.schemas';
import { invitationTerms, invitedPeople, ownInvite } from './invitations.service';

export const invitationsRoutes: DomainRoutes = async (app, { context: { db }, reads, personReads }) => {
  app.post(
    '/api/front/app/invitation',
    { schema: { body: OpenInvitationBodySchema, response: answer(InvitationTermsSchema) } },
    async (request, reply) => {
      const { invite_code } = request.body;
      await limitInviteCodes(db, request.ip);
      const terms = await invitationTerms(reads, invite_code);
      keepInvitation(request, reply, invite_code.trim());
      return ok(request, terms);
    },
  );
  personReads.serve(app, '/api/front/user/invite', { data: InviteSchema }, (_query, { viewer, currency }) =>
    ownInvite(reads, viewer, currency),
  );
  personReads.serve(
    app,
    '/api/front/user/invite/people',
    { query: PageQuerySchema, data: InvitedPeopleSchema },
    (query, { viewer }) => invitedPeople(reads, viewer, pagingOf(query)),
  );
};
