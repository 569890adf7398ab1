import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { giveBack, takeOrder } from './claims.service';
import { RefundHeldBodySchema, StaffHoldSettingsSchema } from './holds.schemas';
import { holdSettingsEditable, refundOnHold, release } from './holds.service';
import {
  AskBodySchema,
  DeliverBodySchema,
  FieldsSchema,
  QueueOrderBodySchema,
  QueueSchema,
  RefuseBodySchema,
  RefuseRefundBodySchema,
} from './queue.schemas';
import { ask, deliver, openOrderFields, queue, refundClaimed, refuseRefund } from './queue.service';

const call = callFor('queue');

/** Orders that wait for staff, also on hold, and the rules that put them on hold. */
export const queueCalls = (options: DomainOptions) => {
  const { context, reads } = options;
  return {
    'GET queue': call({ answer: QueueSchema }, ({ staff, locale }) => queue(reads, staff, locale)),
    'POST queue/take': call({ body: QueueOrderBodySchema }, async ({ body, staff }) => ({
      until: await context.db.withTransaction((sql) => takeOrder(sql, staff, body.order_no)),
    })),
    'POST queue/give-back': call({ body: QueueOrderBodySchema }, ({ body, staff }) =>
      context.db.withTransaction((sql) => giveBack(sql, staff, body.order_no)),
    ),
    'POST queue/fields': call({ body: QueueOrderBodySchema, answer: FieldsSchema }, async ({ body, staff }) => ({
      fields: await openOrderFields(context, staff, body.order_no),
    })),
    'POST queue/ask': call({ body: AskBodySchema }, ({ body, staff }) =>
      ask(context, staff, body.order_no, body.question.trim()),
    ),
    'POST queue/deliver': call({ body: DeliverBodySchema }, ({ body, staff }) => deliver(context, staff, body)),
    'POST queue/refund': call({ body: RefuseBodySchema }, ({ body, staff }) => refundClaimed(context, staff, body)),
    'POST queue/refuse-refund': call({ body: RefuseRefundBodySchema }, ({ body, staff }) =>
      refuseRefund(context, staff, body.order_no, body.reason),
    ),
    'POST holds/release': call({ body: QueueOrderBodySchema }, ({ body }) => release(context, body.order_no)),
    'POST holds/refund': call({ body: RefundHeldBodySchema }, ({ body, staff }) => refundOnHold(context, staff, body)),
    ...editCalls(options, {
      path: 'hold-settings',
      area: 'holds',
      schema: StaffHoldSettingsSchema,
      editable: holdSettingsEditable,
    }),
  };
};
