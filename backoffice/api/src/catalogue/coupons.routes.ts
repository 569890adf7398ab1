import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { StaffCouponSchema } from './coupons.schemas';
import { couponEditable, listCoupons } from './coupons.service';

export const couponCalls = (options: DomainOptions) => ({
  'GET coupons': callFor('coupons')({}, () => listCoupons(options.reads)),
  ...editCalls(options, { path: 'coupons', area: 'coupons', schema: StaffCouponSchema, editable: couponEditable }),
});
