import { StaffBannerSchema, StaffModuleSchema } from '@shop/server/catalogue/storefront.store';
import { configFault, saveConfig } from '@shop/server/content/content.service';
import type { DomainOptions } from '@shop/server/context';
import { fieldError, ShopError } from '@shop/server/platform/http/errors';
import { ErrorCode } from '@shop/shared/domain';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { record } from '../people/record';
import { articleEditable, listArticles, StaffArticleSchema } from './articles.service';
import {
  bannerEditable,
  HomeOrderBodySchema,
  listBanners,
  listModules,
  moduleEditable,
  saveOrder,
} from './home.service';

const callForHome = callFor('home');
const callForSettings = callFor('settings');

const ConfigBodySchema = Type.Object({
  key: Type.String({ pattern: '^[a-z_]{1,40}$' }),
  value: Type.Unknown(),
});

/** The home page, the articles and the settings of the shop. */
export const shopCalls = (options: DomainOptions) => {
  const { context, reads } = options;
  const { db } = context;
  return {
    'GET banners': callForHome({}, () => listBanners(reads)),
    'GET modules': callForHome({}, () => listModules(reads)),
    'POST banners/order': callForHome({ body: HomeOrderBodySchema }, ({ body }) => saveOrder(db, 'banner', body)),
    'POST modules/order': callForHome({ body: HomeOrderBodySchema }, ({ body }) => saveOrder(db, 'module', body)),
    ...editCalls(options, { path: 'banners', area: 'home', schema: StaffBannerSchema, editable: bannerEditable }),
    ...editCalls(options, { path: 'modules', area: 'home', schema: StaffModuleSchema, editable: moduleEditable }),
    'GET articles': callFor('articles')({}, () => listArticles(reads)),
    ...editCalls(options, {
      path: 'articles',
      area: 'articles',
      schema: StaffArticleSchema,
      editable: articleEditable,
    }),
    'GET config': callForSettings({}, async () => {
      const rows = await reads.rows<{ key: string; value: unknown }>('select key, value from app_config order by key');
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
    }),
    'POST config': callForSettings({ body: ConfigBodySchema }, async ({ body: { key, value } }) => {
      const fault = configFault(key, value);
      if (fault) throw fieldError({ value: fault });
      await db.withTransaction(async (sql) => {
        const before = await sql.row<{ value: unknown }>('select value from app_config where key = $1 for update', [
          key,
        ]);
        // No reader would ever use a misspelt key.
        if (!before) throw new ShopError(ErrorCode.NotFound);
        await saveConfig(sql, key, value);
        const detail = { before: { value: before.value }, after: { value } };
        await record(sql, { action: 'config.edit', subject: key, detail });
      });
    }),
  };
};
