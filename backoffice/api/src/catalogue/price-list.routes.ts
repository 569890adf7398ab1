import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { IdSchema } from '@shop/server/platform/http/schemas';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { applyPrices, listPriceEdits, previewPrices, priceFile, undoPrices } from './price-list.service';

const call = callFor('goods');
/** 5,000 rows of long names fit. */
const limit = 2 * 1024 * 1024;
const FileQuerySchema = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 60 })),
  format: Type.Union([Type.Literal('csv'), Type.Literal('xlsx')]),
});
const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export const priceListCalls = ({ context, reads }: DomainOptions) => ({
  'GET prices/edits': call({}, () => listPriceEdits(reads)),
  'POST prices/undo': call({ body: Type.Object({ id: IdSchema }) }, ({ body }) => undoPrices(context, body.id)),
});

export const priceFileRoutes = (app: App, { reads }: DomainOptions): void => {
  app.get(
    '/staff/api/prices',
    { config: { staff: 'goods' }, schema: { querystring: FileQuerySchema } },
    async ({ query: { q = '', format }, locale }, reply) => {
      const file = await priceFile(reads, q, format, locale);
      reply.header('content-disposition', `attachment; filename="prices.${format}"`);
      return (reply.type(types[format]) as FastifyReply).send(file);
    },
  );
};

/** Calls whose body is a price list, as CSV or XLSX. */
export const priceUploadCalls = ({ context, reads }: DomainOptions) => ({
  'POST prices/preview': call({ limit }, ({ body }) => previewPrices(reads, bytesOf(body))),
  'POST prices/apply': call(
    { query: Type.Object({ revision: Type.String({ maxLength: 60 }) }), limit },
    ({ query, body }) => applyPrices(context, bytesOf(body), query.revision),
  ),
});

const bytesOf = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));
