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
  ShareCodeBodySchema,
  SharedCodePlaceSchema,
  SharedCodeSchema,
  SharedCodeTextSchema,
  StockQuerySchema,
  StockSaveBodySchema,
  StockSchema,
  VoidCodesBodySchema,
} from './codes.schemas';
import { freeCodes, importCodes, listStock, previewCodes, saveStock, voidCodes } from './codes.service';
import { readSharedCode, shareCode, sharedCode, unshareCode } from './shared-code.service';

/** More than 50 ms of reading otherwise, for lists in lists. */
const limit = 640 * 1024;

/** Stock, and the card codes that nobody has bought. No call answers a whole code, but the text of a value that sells many times. */
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
  get('codes/shared', { query: SharedCodePlaceSchema, answer: SharedCodeSchema }, ({ query }) =>
    sharedCode(reads, query),
  );
  post('codes/share', { body: ShareCodeBodySchema, limit }, ({ body }) => shareCode(context, body));
  post('codes/unshare', { body: SharedCodePlaceSchema }, ({ body }) => unshareCode(context, body));
  post('codes/read', { body: SharedCodePlaceSchema, answer: SharedCodeTextSchema }, ({ body }) =>
    readSharedCode(context, body),
  );
}
