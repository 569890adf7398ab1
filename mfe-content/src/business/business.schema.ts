import { emailPattern } from '@shop/shared/domain/email';
import { formMessage, type InferType, object, string } from '@shop/shared/forms';
import { messageKey } from '../texts';

/** The same limits as the server's (BusinessAddBodySchema), in characters. */
export const limits = { company: 80, contact: 40, phone: 24, email: 120, content: 2000 } as const;

/** The server accepts any word here. */
export const enquiryTypes = ['supply', 'channel', 'marketing', 'other'] as const;

const tooLong = (max: number) => formMessage(`text.tooLong?max=${max}`);
/** Counts code points, as the server does: an emoji is one character. */
const within = (max: number) => (text: string | undefined) => [...(text ?? '')].length <= max;
const line = (max: number) =>
  string().trim().required(formMessage('text.required')).test('length', tooLong(max), within(max));

export const enquirySchema = object({
  company: line(limits.company),
  contact: line(limits.contact),
  phone: string()
    .trim()
    .required(formMessage('text.required'))
    .max(limits.phone, tooLong(limits.phone))
    .matches(/^(?=(?:\D*\d){5})[0-9+() -]+$/, messageKey('business.phoneFormat')),
  email: string()
    .trim()
    .max(limits.email, tooLong(limits.email))
    .matches(emailPattern, { message: formMessage('email.format'), excludeEmptyString: true }),
  type: string().oneOf(enquiryTypes, formMessage('select.required')).required(formMessage('select.required')),
  content: line(limits.content),
});
export type Enquiry = InferType<typeof enquirySchema>;

export const emptyEnquiry = { company: '', contact: '', phone: '', email: '', type: '', content: '' };
export type EnquiryValues = typeof emptyEnquiry;
