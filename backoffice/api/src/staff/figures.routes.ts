import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import { FiguresQuerySchema, FiguresSchema, ReconcileBodySchema, ReconciliationsSchema } from './figures.schemas';
import { figures, reconcileDay } from './figures.service';
import { serves } from './staff-access';

/** What the shop sold, owes and lacks. */
export function figureRoutes(app: App, { context, reads }: Pick<DomainOptions, 'context' | 'reads'>): void {
  app.get(
    '/staff/api/figures',
    { ...serves('money'), schema: { querystring: FiguresQuerySchema, response: answer(FiguresSchema) } },
    async (request) => ok(request, await figures(reads, request.query, request.locale)),
  );
  app.post(
    '/staff/api/reconcile',
    { ...serves('money'), schema: { body: ReconcileBodySchema, response: answer(ReconciliationsSchema) } },
    async (request) => ok(request, await reconcileDay(context, request.body.day)),
  );
}
