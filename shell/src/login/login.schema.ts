import { object, string } from '@shop/shared/forms';

/** Messages are keys of the namespace `forms` (specification, section 5). */
const phone = string()
  .trim()
  .required('phoneRequired')
  .matches(/^\+?\d{6,15}$/, 'phoneMalformed');

export const passwordLoginSchema = object({ phone, password: string().required('passwordRequired') });
export const codeLoginSchema = object({ phone, verify: string().trim().required('codeRequired') });
export const registerSchema = object({
  phone,
  verify: string().trim().required('codeRequired'),
  password: string().required('passwordRequired').min(8, 'passwordLength').max(32, 'passwordLength'),
  /** In the form but not displayed (specification, section 3); filled from the address. */
  inviteCode: string(),
});
