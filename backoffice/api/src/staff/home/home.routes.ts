import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import { Type } from 'typebox';
import { editRoutes } from '../edits/edits.routes';
import { serves } from '../staff-access';
import { ListedBannerSchema, ListedModuleSchema, StaffBannerSchema, StaffModuleSchema } from './home.schemas';
import { bannerEditable, listBanners, listModules, moduleEditable } from './home.service';

const stock = serves('stock');

/** Banners and modules of the home page. */
export function homeRoutes(app: App, options: Pick<DomainOptions, 'context' | 'reads'>): void {
  app.get(
    '/staff/api/banners',
    { ...stock, schema: { response: answer(Type.Array(ListedBannerSchema)) } },
    async (request) => ok(request, await listBanners(options.reads)),
  );
  app.get(
    '/staff/api/modules',
    { ...stock, schema: { response: answer(Type.Array(ListedModuleSchema)) } },
    async (request) => ok(request, await listModules(options.reads)),
  );
  editRoutes(app, options, { path: 'banners', schema: StaffBannerSchema, roles: ['stock'], editable: bannerEditable });
  editRoutes(app, options, { path: 'modules', schema: StaffModuleSchema, roles: ['stock'], editable: moduleEditable });
}
