import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import {
  AgreeBodySchema,
  RefundIdBodySchema,
  StaffRefundBodySchema,
  StaffRefundSchema,
  WaitingRefundsSchema,
} from './refunds.schemas';
import { agreeToRefund, refuseWaitingRefund, staffRefund, waitingRefunds } from './refunds.service';
import { StaffDoneSchema } from './staff.schemas';
import { serves, staffOf } from './staff-access';

const money = serves('money');

/** Refunds, and the second person above an amount. */
export function refundRoutes(app: App, { context, reads }: Pick<DomainOptions, 'context' | 'reads'>): void {
  app.get('/staff/api/refunds', { ...money, schema: { response: answer(WaitingRefundsSchema) } }, async (request) =>
    ok(request, await waitingRefunds(reads, staffOf(request), request.locale)),
  );
  app.post(
    '/staff/api/refunds',
    { ...money, schema: { body: StaffRefundBodySchema, response: answer(StaffRefundSchema) } },
    async (request) => ok(request, await staffRefund(context, staffOf(request), request.body)),
  );
  app.post(
    '/staff/api/refunds/agree',
    { ...money, schema: { body: AgreeBodySchema, response: answer(StaffRefundSchema) } },
    async (request) => ok(request, await agreeToRefund(context, staffOf(request), request.body)),
  );
  app.post(
    '/staff/api/refunds/refuse',
    { ...money, schema: { body: RefundIdBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await refuseWaitingRefund(context, staffOf(request), request.body.id);
      return ok(request, { done: true });
    },
  );
}
