import { lowStock } from '@shop/server/catalogue/low-stock';
import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import { StaffDoneSchema } from '../staff.schemas';
import { serves } from '../staff-access';
import {
  CodesBodySchema,
  CodesImportedSchema,
  CodesPreviewSchema,
  CodesQuerySchema,
  FreeCodesSchema,
  ImportCodesBodySchema,
  LowStockCountSchema,
  StockQuerySchema,
  StockSaveBodySchema,
  StockSchema,
  VoidCodesBodySchema,
} from './codes.schemas';
import { freeCodes, importCodes, listStock, previewCodes, saveStock, voidCodes } from './codes.service';

const stock = serves('stock');
/** More than 50 ms of reading otherwise, for lists in lists. */
const BODY_LIMIT = 640 * 1024;

/** Stock, and the card codes that nobody has bought. No call answers a whole code. */
export function codesRoutes(app: App, { context, reads }: Pick<DomainOptions, 'context' | 'reads'>): void {
  app.get(
    '/staff/api/stock',
    { ...stock, schema: { querystring: StockQuerySchema, response: answer(StockSchema) } },
    async (request) => ok(request, await listStock(reads, request.query.q)),
  );
  app.get('/staff/api/stock/low', { ...stock, schema: { response: answer(LowStockCountSchema) } }, async (request) =>
    ok(request, { count: (await lowStock(reads)).length }),
  );
  app.post(
    '/staff/api/stock/save',
    { ...stock, schema: { body: StockSaveBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await saveStock(context, request.body);
      return ok(request, { done: true });
    },
  );
  app.get(
    '/staff/api/codes',
    { ...stock, schema: { querystring: CodesQuerySchema, response: answer(FreeCodesSchema) } },
    async (request) => ok(request, await freeCodes(context, reads, request.query)),
  );
  app.post(
    '/staff/api/codes/preview',
    { ...stock, bodyLimit: BODY_LIMIT, schema: { body: CodesBodySchema, response: answer(CodesPreviewSchema) } },
    async (request) => ok(request, await previewCodes(context, reads, request.body)),
  );
  app.post(
    '/staff/api/codes/import',
    { ...stock, bodyLimit: BODY_LIMIT, schema: { body: ImportCodesBodySchema, response: answer(CodesImportedSchema) } },
    async (request) => ok(request, await importCodes(context, request.body)),
  );
  app.post(
    '/staff/api/codes/void',
    { ...stock, schema: { body: VoidCodesBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await voidCodes(context, [...new Set(request.body.ids)], request.body.reason);
      return ok(request, { done: true });
    },
  );
}
