import type { BusinessAddAnswer, BusinessAddBody } from '@shop/server/wire';
import { post } from '@shop/shared/http';

/** Quiet: the form shows a failure itself. */
export function addBusinessEnquiry(enquiry: BusinessAddBody): Promise<BusinessAddAnswer> {
  return post('/api/front/business/add', enquiry, { quiet: true });
}
