import { Readable } from 'node:stream';
import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import type { FastifyReply } from 'fastify';
import { callFor } from '../calls';
import { staffOf } from '../people/staff-access';
import { BatchesQuerySchema, BatchSaveBodySchema, EndBatchBodySchema, ExportIdBodySchema } from './batches.schemas';
import { decideExport, exportBatch, listBatches, readExport, saveBatch, voidBatch } from './batches.service';

const call = callFor('stock');

/** Batches of imported codes. Only the file of an export contains codes. */
export const batchCalls = ({ context, reads }: DomainOptions) => {
  // The end of the sale of 100,000 codes takes longer than a write may.
  const patient = { ...context, db: context.db.as('job', 'batches') };
  return {
    'GET batches': call({ query: BatchesQuerySchema }, ({ query, staff }) => listBatches(reads, staff, query)),
    'POST batches/save': call({ body: BatchSaveBodySchema }, ({ body }) => saveBatch(context, body)),
    'POST batches/void': call({ body: EndBatchBodySchema }, ({ body }) => voidBatch(patient, body)),
    'POST batches/export': call({ freshCode: true, body: EndBatchBodySchema }, ({ body, staff }) =>
      exportBatch(patient, staff, body),
    ),
    'POST batches/agree': call({ freshCode: true, body: ExportIdBodySchema }, ({ body, staff }) =>
      decideExport(patient, staff, body.id, 'done'),
    ),
    'POST batches/refuse': call({ body: ExportIdBodySchema }, ({ body, staff }) =>
      decideExport(patient, staff, body.id, 'refused'),
    ),
  };
};

export const exportFileRoute = (app: App, { context }: DomainOptions): void => {
  app.post(
    '/staff/api/batches/file',
    { config: { staff: 'stock', freshCode: true }, schema: { body: ExportIdBodySchema } },
    async (request, reply) => {
      const { id } = request.body;
      const file = await readExport(context, staffOf(request), id);
      reply.header('content-disposition', `attachment; filename="codes-${id}.csv"`);
      return (reply.type('text/csv; charset=utf-8') as FastifyReply).send(Readable.from(file));
    },
  );
};
