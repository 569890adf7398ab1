import { lowStock } from '@shop/server/catalogue/low-stock';
import type { DomainOptions } from '@shop/server/context';
import { Type } from 'typebox';
import { ByIdSchema, callFor } from '../calls';
import { decideExport, exportBatch, listBatches, readExport, saveBatch, voidBatch } from './batches.service';
import {
  BatchesQuerySchema,
  BatchSaveBodySchema,
  CodesBodySchema,
  CodesQuerySchema,
  EndBatchBodySchema,
  FreeCodesSchema,
  ImportCodesBodySchema,
  PlaceSchema,
  ShareCodeBodySchema,
  StockSaveBodySchema,
  VoidCodesBodySchema,
} from './codes.schemas';
import { freeCodes, importCodes, listStock, previewCodes, saveStock, voidCodes } from './codes.service';
import { readSharedCode, shareCode, sharedCode, unshareCode } from './shared-code.service';

/** A longer body, with its nested lists, takes more than 50 ms to parse. */
const limit = 640 * 1024;
const call = callFor('stock');

/** Stock, and the card codes that are still unsold. No call returns a whole code, except the text of a shared code and the file of an export. */
export const codesCalls = ({ context, reads }: DomainOptions) => {
  // The end of the sale of 100,000 codes takes longer than a write may.
  const patient = { ...context, db: context.db.as('job', 'batches') };
  return {
    'GET stock': call({ query: Type.Object({ q: Type.Optional(Type.String({ maxLength: 60 })) }) }, ({ query }) =>
      listStock(reads, query.q),
    ),
    'GET stock/low': call({}, async () => ({ count: (await lowStock(reads)).length })),
    'POST stock/save': call({ body: StockSaveBodySchema }, ({ body }) => saveStock(context, body)),
    'GET codes': call({ query: CodesQuerySchema, answer: FreeCodesSchema }, ({ query }) =>
      freeCodes(context, reads, query),
    ),
    'POST codes/preview': call({ body: CodesBodySchema, limit }, ({ body }) => previewCodes(context, reads, body)),
    'POST codes/import': call({ body: ImportCodesBodySchema, limit }, ({ body }) => importCodes(context, body)),
    'POST codes/void': call({ body: VoidCodesBodySchema }, ({ body }) =>
      voidCodes(context, [...new Set(body.ids)], body.reason),
    ),
    'GET codes/shared': call({ query: PlaceSchema }, ({ query }) => sharedCode(reads, query)),
    'POST codes/share': call({ body: ShareCodeBodySchema, limit }, ({ body }) => shareCode(context, body)),
    'POST codes/unshare': call({ body: PlaceSchema }, ({ body }) => unshareCode(context, body)),
    'POST codes/read': call({ body: PlaceSchema }, ({ body }) => readSharedCode(context, body)),
    'GET batches': call({ query: BatchesQuerySchema }, ({ query, staff }) => listBatches(reads, staff, query)),
    'POST batches/save': call({ body: BatchSaveBodySchema }, ({ body }) => saveBatch(context, body)),
    'POST batches/void': call({ body: EndBatchBodySchema }, ({ body }) => voidBatch(patient, body)),
    'POST batches/export': call({ freshCode: true, body: EndBatchBodySchema }, ({ body, staff }) =>
      exportBatch(patient, staff, body),
    ),
    'POST batches/agree': call({ freshCode: true, body: ByIdSchema }, ({ body, staff }) =>
      decideExport(patient, staff, body.id, 'done'),
    ),
    'POST batches/refuse': call({ body: ByIdSchema }, ({ body, staff }) =>
      decideExport(patient, staff, body.id, 'refused'),
    ),
    'POST batches/file': call(
      { freshCode: true, body: ByIdSchema, answer: Type.Object({ csv: Type.String() }) },
      ({ body, staff }) => readExport(context, staff, body.id),
    ),
  };
};
