import { keepInvitation } from '../accounts/sessions/visitor';
import type { DomainRoutes } from '../context';
import { ok } from '../platform/http/envelope';
import { pagingOf } from '../platform/http/paging';
import { limitNetwork } from '../platform/http/rate-limit';
import { answer, PageQuerySchema } from '../platform/http/schemas';
import {
  InvitationTermsSchema,
  InvitedPeopleSchema,
  InviteSchema,
  OpenInvitationBodySchema,
} from './invitations.schemas';
import { invitationTerms, invitedPeople, ownInvite } from './invitations.service';

/** Links that one network opens in an hour: codes are not found by trying. */
const OPENED_PER_HOUR = 60;

export const invitationsRoutes: DomainRoutes = async (app, { context: { db }, reads, personReads }) => {
  app.post(
    '/api/front/app/invitation',
    { schema: { body: OpenInvitationBodySchema, response: answer(InvitationTermsSchema) } },
    async (request, reply) => {
      const { invite_code } = request.body;
      await limitNetwork(db, { name: 'invitation', address: request.ip, most: OPENED_PER_HOUR, seconds: 3600 });
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
