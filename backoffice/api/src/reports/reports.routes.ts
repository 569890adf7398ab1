import type { DomainOptions } from '@shop/server/context';
import { DaySchema } from '@shop/server/platform/http/edit-schemas';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { readReports, reconcileDay } from './reports.service';

const call = callFor('reports');

export const reportCalls = ({ context, reads }: DomainOptions) => ({
  'GET reports': call({ query: Type.Object({ from: DaySchema, to: DaySchema }) }, ({ query, locale }) =>
    readReports(reads, query, context.config.timeZone, locale),
  ),
  'POST reconcile': call({ body: Type.Object({ day: DaySchema }) }, ({ body }) => reconcileDay(context, body.day)),
});
