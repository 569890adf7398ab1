import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from '../calls';
import { editRoutes } from '../edits/edits.routes';
import {
  InviteDecisionBodySchema,
  InviteFiguresSchema,
  InvitesQuerySchema,
  StaffInviteSettingsSchema,
  StaffInvitesSchema,
} from './invites.schemas';
import { decideInvite, inviteFigures, inviteSettingsEditable, listInvites } from './invites.service';

/** Invitations of shoppers: how they count, which are held and why, what they cost. */
export function inviteRoutes(app: App, options: DomainOptions): void {
  const { context, reads } = options;
  const { get, post } = callsFor(app, 'money');
  get('invites', { query: InvitesQuerySchema, answer: StaffInvitesSchema }, ({ query }) =>
    listInvites(context.db, query),
  );
  get('invites/figures', { answer: InviteFiguresSchema }, () => inviteFigures(reads));
  post('invites/decide', { body: InviteDecisionBodySchema }, ({ body, staff }) =>
    decideInvite(context.db, staff, body),
  );
  editRoutes(app, options, {
    path: 'invite-settings',
    schema: StaffInviteSettingsSchema,
    editable: inviteSettingsEditable,
    role: 'manager',
  });
}
