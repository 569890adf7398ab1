import type { BusinessAddAnswer, BusinessAddBody } from '@shop/server/wire';
import { post } from '@shop/shared/http';

export const addEnquiry = (enquiry: BusinessAddBody) =>
  post<BusinessAddAnswer>('/api/front/business/add', enquiry, { quiet: true });
