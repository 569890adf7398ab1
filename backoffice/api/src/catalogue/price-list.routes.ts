import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { IdSchema } from '@shop/server/platform/http/schemas';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { FileFormatSchema, sendTable } from '../table-file';
import { applyPrices, listPriceEdits, previewPrices, priceFile, undoPrices } from './price-list.service';

const call = callFor('goods');
/** 5,000 rows of long names fit. */
const limit = 2 * 1024 * 1024;

export const priceListCalls = ({ context, reads }: DomainOptions) => ({
  'GET prices/edits': call({}, () => listPriceEdits(reads)),
  'POST prices/undo': call({ body: Type.Object({ id: IdSchema }) }, ({ body }) => undoPrices(context, body.id)),
});

export const priceFileRoute = (app: App, { reads }: DomainOptions): void => {
  const body = Type.Object({ q: Type.String({ maxLength: 60 }), format: FileFormatSchema });
  app.post('/staff/api/prices/file', { config: { staff: 'goods' }, schema: { body } }, async (request, reply) => {
    const { q, format } = request.body;
    return sendTable(reply, 'prices', format, await priceFile(reads, q, format, request.locale));
  });
};

/** Calls whose body is a price list, as CSV or XLSX. */
export const priceUploadCalls = ({ context, reads }: DomainOptions) => ({
  'POST prices/preview': call({ limit }, ({ body, locale }) => previewPrices(reads, bytesOf(body), locale)),
  'POST prices/apply': call(
    { query: Type.Object({ revision: Type.String({ maxLength: 60 }) }), limit },
    ({ query, body }) => applyPrices(context, bytesOf(body), query.revision),
  ),
});

const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
