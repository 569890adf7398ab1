import { formMessage, object, string } from '@shop/shared/forms';

const phone = string()
  .trim()
  .required(formMessage('phone.required'))
  .matches(/^\+?\d{6,15}$/, formMessage('phone.format'));

export const passwordLoginSchema = object({ phone, password: string().required(formMessage('password.required')) });
export const codeLoginSchema = object({ phone, verify: string().trim().required(formMessage('code.required')) });
export const registerSchema = object({
  phone,
  verify: string().trim().required(formMessage('code.required')),
  password: string()
    .required(formMessage('password.required'))
    .min(8, formMessage('password.length?min=8&max=32'))
    .max(32, formMessage('password.length?min=8&max=32')),
  /** Filled from the URL and not displayed (docs/product.md#forms). */
  inviteCode: string(),
});
