import { object, string } from '@shop/shared/forms';

/** Messages are keys of the namespace `forms` (specification, section 5). */
const phone = string()
  .trim()
  .required('phone.required')
  .matches(/^\+?\d{6,15}$/, 'phone.format');

export const passwordLoginSchema = object({ phone, password: string().required('password.required') });
export const codeLoginSchema = object({ phone, verify: string().trim().required('code.required') });
export const registerSchema = object({
  phone,
  verify: string().trim().required('code.required'),
  password: string()
    .required('password.required')
    .min(8, 'password.length?min=8&max=32')
    .max(32, 'password.length?min=8&max=32'),
  /** In the form but not displayed (specification, section 3); filled from the address. */
  inviteCode: string(),
});
