import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { Type } from 'typebox';
import { callsFor } from '../calls';
import { editRoutes } from '../edits/edits.routes';
import { ListedCouponSchema, StaffCouponSchema } from './coupons.schemas';
import { couponEditable, listCoupons } from './coupons.service';

export function couponRoutes(app: App, options: DomainOptions): void {
  callsFor(app, 'stock').get('coupons', { answer: Type.Array(ListedCouponSchema) }, () => listCoupons(options.reads));
  editRoutes(app, options, { path: 'coupons', schema: StaffCouponSchema, editable: couponEditable });
}
