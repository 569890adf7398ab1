import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from './calls';
import { FiguresQuerySchema, FiguresSchema, ReconcileBodySchema, ReconciliationsSchema } from './figures.schemas';
import { figures, reconcileDay } from './figures.service';

/** What the shop sold, owes and lacks. */
export function figureRoutes(app: App, { context, reads }: DomainOptions): void {
  const { get, post } = callsFor(app, 'money');
  get('figures', { query: FiguresQuerySchema, answer: FiguresSchema }, ({ query, locale }) =>
    figures(reads, query, locale),
  );
  post('reconcile', { body: ReconcileBodySchema, answer: ReconciliationsSchema }, ({ body }) =>
    reconcileDay(context, body.day),
  );
}
