import type { BackOffice, Job, ServerPlugin } from '@shop/server/context';
import { tryAll } from '@shop/server/platform/db/batches';
import type { Sql } from '@shop/server/platform/db/sql';
import { readReleaseSettings } from './ops/release-settings';
import { BackOfficeSessions } from './staff/back-office-sessions';
import { forgetInvitations, invitationAddress, inviteFirst } from './staff/invitations.service';
import { forgetPush } from './staff/push/push.service';
import { staffRoutes } from './staff/staff.routes';
import { forgetStaffSessions } from './staff/staff-sessions.service';

/** Deletes sessions of staff, invitations and pushes that have ended, as of `now`; the database's time by default. */
export const forgetStaff = (sql: Sql, now: Date | null = null): Promise<number> =>
  tryAll([() => forgetStaffSessions(sql, now), () => forgetInvitations(sql, now), () => forgetPush(sql, now)]);

const jobs: Job[] = [{ name: 'forget-staff', every: 600, run: ({ db }) => forgetStaff(db) }];

const staffAlone: ServerPlugin = async (app, { context, optionsOf }) => {
  if (!context || !optionsOf) return;
  const sessions = new BackOfficeSessions(context.config.secret);
  await app.register(staffRoutes, { ...optionsOf('staff'), sessions });
};

/** The calls of staff, for a server without a release store; `backOfficeWithReleases` has the others. */
export function backOffice(): BackOffice {
  return {
    readSettings: readReleaseSettings,
    plugins: [staffAlone],
    jobs,
    notes: async (context, url) => {
      const invitation = await inviteFirst(context);
      if (!invitation) return [];
      const address = invitationAddress(context.config.providers.publicUrl || url, invitation);
      return [`First manager of the staff console, once, within 24 hours: ${address}`];
    },
  };
}
