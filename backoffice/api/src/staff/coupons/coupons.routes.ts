import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import { Type } from 'typebox';
import { editRoutes } from '../edits/edits.routes';
import { serves } from '../staff-access';
import { ListedCouponSchema, StaffCouponSchema } from './coupons.schemas';
import { couponEditable, listCoupons } from './coupons.service';

export function couponRoutes(app: App, options: Pick<DomainOptions, 'context' | 'reads'>): void {
  app.get(
    '/staff/api/coupons',
    { ...serves('stock'), schema: { response: answer(Type.Array(ListedCouponSchema)) } },
    async (request) => ok(request, await listCoupons(options.reads)),
  );
  editRoutes(app, options, {
    path: 'coupons',
    schema: StaffCouponSchema,
    roles: ['stock'],
    editable: couponEditable,
  });
}
