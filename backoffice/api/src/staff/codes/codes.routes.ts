import { lowStock } from '@shop/server/catalogue/low-stock';
import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from '../calls';
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

/** More than 50 ms of reading otherwise, for lists in lists. */
const limit = 640 * 1024;

/** Stock, and the card codes that nobody has bought. No call answers a whole code. */
export function codesRoutes(app: App, { context, reads }: DomainOptions): void {
  const { get, post } = callsFor(app, 'stock');
  get('stock', { query: StockQuerySchema, answer: StockSchema }, ({ query }) => listStock(reads, query.q));
  get('stock/low', { answer: LowStockCountSchema }, async () => ({ count: (await lowStock(reads)).length }));
  post('stock/save', { body: StockSaveBodySchema }, ({ body }) => saveStock(context, body));
  get('codes', { query: CodesQuerySchema, answer: FreeCodesSchema }, ({ query }) => freeCodes(context, reads, query));
  post('codes/preview', { body: CodesBodySchema, answer: CodesPreviewSchema, limit }, ({ body }) =>
    previewCodes(context, reads, body),
  );
  post('codes/import', { body: ImportCodesBodySchema, answer: CodesImportedSchema, limit }, ({ body }) =>
    importCodes(context, body),
  );
  post('codes/void', { body: VoidCodesBodySchema }, ({ body }) =>
    voidCodes(context, [...new Set(body.ids)], body.reason),
  );
}
