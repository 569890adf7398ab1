import type { BackOffice, DomainOptions, DomainRoutes, Job } from '@shop/server/context';
import { tryAll } from '@shop/server/platform/db/batches';
import { fieldError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { foreignPictures } from '@shop/server/platform/http/picture-origins';
import { registerCalls, type TypesOf } from './calls';
import { catalogueCalls, fileCalls } from './catalogue/catalogue.routes';
import { codesCalls } from './catalogue/codes.routes';
import { chatCalls } from './notices/chats.routes';
import { parseForges } from './ops/api/forge-settings';
import { enquiryCalls } from './orders/enquiries.routes';
import { orderCalls } from './orders/orders.routes';
import { queueCalls } from './orders/queue.routes';
import { forgetInvitations, invitationAddress, inviteFirst } from './people/invitations.service';
import { peopleCalls } from './people/people.routes';
import { guardStaffCalls, staffGuard } from './people/staff-access';
import { forgetStaffSessions } from './people/staff-sessions.service';
import { auditCalls } from './reports/audit.routes';
import { reportCalls } from './reports/reports.routes';
import { shopCalls } from './shop/shop.routes';

const staffCalls = (options: DomainOptions) => ({
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

const staffRoutes: DomainRoutes = async (app, options) => {
  const { db, config } = options.context;
  guardStaffCalls(app, staffGuard(db, config.staffUrl));
  app.addHook('preHandler', async ({ body, locale }) => {
    const { value } = (body ?? {}) as { value?: unknown };
    const foreign = foreignPictures(value, config.pictureOrigins);
    if (foreign.length === 0) return;
    throw fieldError(Object.fromEntries(foreign.map((field) => [`value.${field}`, fieldText('picture', locale)])));
  });
  registerCalls(app, staffCalls(options));
  await app.register(fileRoutes, options);
};

const jobs: Job[] = [
  {
    name: 'forget-staff',
    every: 600,
    run: ({ db }) => tryAll([() => forgetStaffSessions(db), () => forgetInvitations(db)]),
  },
];

/** The console's calls for a server without a release store; `backOfficeWithReleases` adds the release calls and the page. */
export function backOffice(): BackOffice {
  return {
    readSettings: parseForges,
    plugins: [],
    consolePlugins: [
      async (app, { optionsOf }) => {
        if (optionsOf) await app.register(staffRoutes, optionsOf('staff'));
      },
    ],
    jobs,
    notes: async (context, url) => {
      const invitation = await inviteFirst(context);
      if (!invitation) return [];
      const address = invitationAddress(url, invitation);
      return [`First manager of the staff console, once, within 24 hours: ${address}`];
    },
  };
}
