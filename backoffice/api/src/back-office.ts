import type { BackOffice, Job, ServerPlugin } from '@shop/server/context';
import { tryAll } from '@shop/server/platform/db/batches';
import { parseForges } from './ops/api/forge-settings';
import { forgetInvitations, invitationAddress, inviteFirst } from './people/invitations.service';
import { staffGuard } from './people/staff-access';
import { forgetStaffSessions } from './people/staff-sessions.service';
import { staffRoutes } from './staff.routes';

const jobs: Job[] = [
  {
    name: 'forget-staff',
    every: 600,
    run: ({ db }) => tryAll([() => forgetStaffSessions(db), () => forgetInvitations(db)]),
  },
];

const staffCalls: ServerPlugin = async (app, { optionsOf }) => {
  if (!optionsOf) return;
  const options = optionsOf('staff');
  const { db, config } = options.context;
  await app.register(staffRoutes, { ...options, admit: staffGuard(db, config.staffUrl) });
};

/** The console's calls for a server without a release store; `backOfficeWithReleases` adds the release calls and the page. */
export function backOffice(): BackOffice {
  return {
    readSettings: parseForges,
    plugins: [],
    consolePlugins: [staffCalls],
    jobs,
    notes: async (context, url) => {
      const invitation = await inviteFirst(context);
      if (!invitation) return [];
      const address = invitationAddress(url, invitation);
      return [`First manager of the staff console, once, within 24 hours: ${address}`];
    },
  };
}
