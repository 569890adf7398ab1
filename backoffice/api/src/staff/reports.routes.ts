import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from './calls';
import { ReconcileBodySchema, ReconciliationsSchema, ReportsQuerySchema, ReportsSchema } from './reports.schemas';
import { readReports, reconcileDay } from './reports.service';

/** What the shop sold, owes and lacks. */
export function reportRoutes(app: App, { context, reads }: DomainOptions): void {
  const { get, post } = callsFor(app, 'money');
  get('reports', { query: ReportsQuerySchema, answer: ReportsSchema }, ({ query, locale }) =>
    readReports(reads, query, locale),
  );
  post('reconcile', { body: ReconcileBodySchema, answer: ReconciliationsSchema }, ({ body }) =>
    reconcileDay(context, body.day),
  );
}
