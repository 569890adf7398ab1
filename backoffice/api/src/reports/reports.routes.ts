import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { ReconcileBodySchema, ReportsQuerySchema } from './reports.schemas';
import { readReports, reconcileDay } from './reports.service';

const call = callFor('reports');

export const reportCalls = ({ context, reads }: DomainOptions) => ({
  'GET reports': call({ query: ReportsQuerySchema }, ({ query, locale }) =>
    readReports(reads, query, context.config.timeZone, locale),
  ),
  'POST reconcile': call({ body: ReconcileBodySchema }, ({ body }) => reconcileDay(context, body.day)),
});
