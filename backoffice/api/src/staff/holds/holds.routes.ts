import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from '../calls';
import { editRoutes } from '../edits/edits.routes';
import { StaffRefundSchema } from '../refunds.schemas';
import { RefundHeldBodySchema, ReleaseBodySchema, StaffHoldSettingsSchema } from './holds.schemas';
import { holdSettingsEditable, refundHeld, release } from './holds.service';

/** Paid orders that are held for a look; the queue shows them. */
export function holdRoutes(app: App, options: DomainOptions): void {
  const { context } = options;
  const { post } = callsFor(app, 'seller');
  post('holds/release', { body: ReleaseBodySchema }, ({ body }) => release(context, body.order_no));
  post('holds/refund', { body: RefundHeldBodySchema, answer: StaffRefundSchema }, ({ body, staff }) =>
    refundHeld(context, staff, body),
  );
  editRoutes(app, options, {
    path: 'hold-settings',
    schema: StaffHoldSettingsSchema,
    editable: holdSettingsEditable,
    role: 'manager',
  });
}
