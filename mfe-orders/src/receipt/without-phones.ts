import { maskPhone } from '@shop/shared/domain/mask-phone';

/** Phones with their middle hidden, also in the account field: mainland numbers in any spelling, others in E.164. */
export function withoutPhones(text: string): string {
  // Safari before 16.4 does not support lookbehind.
  return text
    .replace(/\+(?!86)\d{8,15}(?!\d)/g, maskPhone)
    .replace(/(^|\D)((?:\+?86[\s-]?)?1[3-9]\d)[\s-]?\d{4}[\s-]?(\d{4})(?!\d)/g, '$1$2****$3');
}
