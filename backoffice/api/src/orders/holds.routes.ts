import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { RefundHeldBodySchema, StaffHoldSettingsSchema } from './holds.schemas';
import { holdSettingsEditable, refundOnHold, release } from './holds.service';
import { QueueOrderBodySchema } from './queue.schemas';

const call = callFor('queue');

export const holdCalls = (options: DomainOptions) => ({
  'POST holds/release': call({ body: QueueOrderBodySchema }, ({ body }) => release(options.context, body.order_no)),
  'POST holds/refund': call({ body: RefundHeldBodySchema }, ({ body, staff }) =>
    refundOnHold(options.context, staff, body),
  ),
  ...editCalls(options, {
    path: 'hold-settings',
    area: 'holds',
    schema: StaffHoldSettingsSchema,
    editable: holdSettingsEditable,
  }),
});
