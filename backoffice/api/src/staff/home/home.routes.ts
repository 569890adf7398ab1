import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { Type } from 'typebox';
import { callsFor } from '../calls';
import { editRoutes } from '../edits/edits.routes';
import {
  HomeOrderBodySchema,
  ListedBannerSchema,
  ListedModuleSchema,
  StaffBannerSchema,
  StaffModuleSchema,
} from './home.schemas';
import { bannerEditable, listBanners, listModules, moduleEditable, saveOrder } from './home.service';

/** Banners and modules of the home page. */
export function homeRoutes(app: App, options: DomainOptions): void {
  const { get, post } = callsFor(app, 'stock');
  const { db } = options.context;
  get('banners', { answer: Type.Array(ListedBannerSchema) }, () => listBanners(options.reads));
  get('modules', { answer: Type.Array(ListedModuleSchema) }, () => listModules(options.reads));
  post('banners/order', { body: HomeOrderBodySchema }, ({ body }) => saveOrder(db, 'banner', body));
  post('modules/order', { body: HomeOrderBodySchema }, ({ body }) => saveOrder(db, 'module', body));
  editRoutes(app, options, { path: 'banners', schema: StaffBannerSchema, editable: bannerEditable });
  editRoutes(app, options, { path: 'modules', schema: StaffModuleSchema, editable: moduleEditable });
}
