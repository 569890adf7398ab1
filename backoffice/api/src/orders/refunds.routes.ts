import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { AgreeBodySchema, RefundIdBodySchema, StaffRefundBodySchema } from './refunds.schemas';
import { approveRefund, refuseWaitingRefund, staffRefund, waitingRefunds } from './refunds.service';

const call = callFor('refunds');

export const refundCalls = ({ context, reads }: DomainOptions) => ({
  'GET refunds': call({}, ({ staff, locale }) => waitingRefunds(reads, staff, locale)),
  'POST refunds': call({ body: StaffRefundBodySchema }, ({ body, staff }) => staffRefund(context, staff, body)),
  'POST refunds/agree': call({ body: AgreeBodySchema }, ({ body, staff }) => approveRefund(context, staff, body)),
  'POST refunds/refuse': call({ body: RefundIdBodySchema }, ({ body, staff }) =>
    refuseWaitingRefund(context, staff, body.id),
  ),
});
