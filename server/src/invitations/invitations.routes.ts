import { limitInviteCodes } from '../accounts/invitations/bind-invitation.service';
import { keepInvitation } from '../accounts/sessions/visitor';
import type { DomainRoutes } from '../context';
import { callsOf } from '../platform/http/calls';
import { pagingOf } from '../platform/http/paging';
import { PageQuerySchema } from '../platform/http/schemas';
import {
  InvitationTermsSchema,
  InvitedPeopleSchema,
  InviteSchema,
  OpenInvitationBodySchema,
} from './invitations.schemas';
import { invitationTerms, invitedPeople, ownInvite } from './invitations.service';

export const invitationsRoutes: DomainRoutes = async (app, { context: { db }, reads, personReads }) => {
  const { guest } = callsOf(app);
  guest.post(
    '/api/front/app/invitation',
    { body: OpenInvitationBodySchema, data: InvitationTermsSchema },
    async ({ body, request, reply }) => {
      const { invite_code } = body;
      await limitInviteCodes(db, request.ip);
      const terms = await invitationTerms(reads, invite_code);
      keepInvitation(request, reply, invite_code.trim());
      return terms;
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
