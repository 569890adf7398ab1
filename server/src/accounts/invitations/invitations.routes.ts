import type { DomainRoutes } from '../../context';
import { callsOf } from '../../platform/http/calls';
import { pagingOf } from '../../platform/http/paging';
import { keepInvitation } from '../sessions/visitor';
import { InviteSchema, invitedPeopleCall, openInvitationCall } from './invitations.schemas';
import { checkInviteCode, invitedPeople, inviteOf, plainInviteCode } from './invitations.service';

export const invitationsRoutes: DomainRoutes = async (app, { context: { db }, reads, userReads }) => {
  const { guest } = callsOf(app);
  guest.post('/api/front/app/invitation', openInvitationCall, async ({ body, request, reply }) => {
    const { invite_code } = body;
    await checkInviteCode(db, reads, invite_code, request.ip);
    keepInvitation(request, reply, plainInviteCode(invite_code));
    return { opened: true as const };
  });
  userReads.serve(app, '/api/front/user/invite', { data: InviteSchema }, (_query, { viewer, locale }) =>
    inviteOf(reads, viewer, locale),
  );
  userReads.serve(app, '/api/front/user/invite/people', invitedPeopleCall, (query, { viewer }) =>
    invitedPeople(reads, viewer, pagingOf(query)),
  );
};
