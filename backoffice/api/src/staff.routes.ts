import type { DomainOptions, DomainRoutes } from '@shop/server/context';
import { fieldError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { foreignPictures } from '@shop/server/platform/http/picture-origins';
import { registerCalls, type TypesOf } from './calls';
import { catalogueCalls, fileCalls } from './catalogue/catalogue.routes';
import { codesCalls } from './catalogue/codes.routes';
import { chatCalls } from './notices/chats.routes';
import { enquiryCalls } from './orders/enquiries.routes';
import { orderCalls } from './orders/orders.routes';
import { queueCalls } from './orders/queue.routes';
import { peopleCalls } from './people/people.routes';
import { type AdmitStaff, guardStaffCalls } from './people/staff-access';
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

export const staffRoutes: DomainRoutes<DomainOptions & { admit: AdmitStaff }> = async (app, { admit, ...options }) => {
  guardStaffCalls(app, admit);
  app.addHook('preHandler', async ({ body, locale }) => {
    const { value } = (body ?? {}) as { value?: unknown };
    const foreign = foreignPictures(value, options.context.config.pictureOrigins);
    if (foreign.length === 0) return;
    throw fieldError(Object.fromEntries(foreign.map((field) => [`value.${field}`, fieldText('picture', locale)])));
  });
  registerCalls(app, staffCalls(options));
  await app.register(fileRoutes, options);
};
