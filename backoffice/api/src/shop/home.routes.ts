import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { HomeOrderBodySchema, StaffBannerSchema, StaffModuleSchema } from './home.schemas';
import { bannerEditable, listBanners, listModules, moduleEditable, saveOrder } from './home.service';

const call = callFor('home');

export const homeCalls = (options: DomainOptions) => ({
  'GET banners': call({}, () => listBanners(options.reads)),
  'GET modules': call({}, () => listModules(options.reads)),
  'POST banners/order': call({ body: HomeOrderBodySchema }, ({ body }) =>
    saveOrder(options.context.db, 'banner', body),
  ),
  'POST modules/order': call({ body: HomeOrderBodySchema }, ({ body }) =>
    saveOrder(options.context.db, 'module', body),
  ),
  ...editCalls(options, { path: 'banners', area: 'home', schema: StaffBannerSchema, editable: bannerEditable }),
  ...editCalls(options, { path: 'modules', area: 'home', schema: StaffModuleSchema, editable: moduleEditable }),
});
