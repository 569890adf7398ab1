import { object, string } from '@shop/shared/forms';

/** The lengths are the server's (`BusinessAddBody`). */
export const longest = { company: 80, contact: 40, phone: 24, email: 120, content: 2000 } as const;
// yup fills in the number.
// biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of yup
const tooLong = 'text.tooLong?max=${max}';
export const shortestContent = 10;

export const businessSchema = object({
  company: string().trim().required('business.companyRequired').max(longest.company, tooLong),
  contact: string().trim().required('business.contactRequired').max(longest.contact, tooLong),
  phone: string()
    .trim()
    .required('business.phoneRequired')
    .matches(/^[0-9+() -]{5,24}$/, 'business.phoneFormat'),
  email: string()
    .trim()
    .matches(/^([^\s@<>]+@[^\s@<>]+\.[^\s@<>]+)?$/, 'business.emailFormat')
    .max(longest.email, tooLong),
  type: string().required('business.typeRequired'),
  content: string()
    .trim()
    .required('business.contentRequired')
    .min(shortestContent, 'business.contentShort')
    .max(longest.content, tooLong),
});
