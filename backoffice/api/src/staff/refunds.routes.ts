import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from './calls';
import {
  AgreeBodySchema,
  RefundIdBodySchema,
  StaffRefundBodySchema,
  StaffRefundSchema,
  WaitingRefundsSchema,
} from './refunds.schemas';
import { agreeToRefund, refuseWaitingRefund, staffRefund, waitingRefunds } from './refunds.service';

/** Refunds, and the second person above an amount. */
export function refundRoutes(app: App, { context, reads }: DomainOptions): void {
  const { get, post } = callsFor(app, 'money');
  get('refunds', { answer: WaitingRefundsSchema }, ({ staff, locale }) => waitingRefunds(reads, staff, locale));
  post('refunds', { body: StaffRefundBodySchema, answer: StaffRefundSchema }, ({ body, staff }) =>
    staffRefund(context, staff, body),
  );
  post('refunds/agree', { body: AgreeBodySchema, answer: StaffRefundSchema }, ({ body, staff }) =>
    agreeToRefund(context, staff, body),
  );
  post('refunds/refuse', { body: RefundIdBodySchema }, ({ body, staff }) =>
    refuseWaitingRefund(context, staff, body.id),
  );
}
