import { formMessage, object, string } from '@shop/shared/forms';
import { readPhone } from './phone/phone';

const phone = string()
  .trim()
  .required(formMessage('phone.required'))
  .test('phone', formMessage('phone.format'), async (text, { parent }) => {
    if (!text) return true;
    // Without the numbering plans the server checks it.
    return readPhone({ text, country: parent.country }).then(Boolean, () => true);
  });
const country = string();
const newPassword = string()
  .required(formMessage('password.required'))
  .min(8, formMessage('password.length?min=8&max=32'))
  .max(32, formMessage('password.length?min=8&max=32'));
const verify = string().trim().required(formMessage('code.required'));

export const passwordLoginSchema = object({
  phone,
  country,
  password: string().required(formMessage('password.required')),
});
export const codeLoginSchema = object({ phone, country, verify });
export const newPasswordSchema = object({ phone, country, verify, password: newPassword });
export const registerSchema = newPasswordSchema.shape({
  /** Filled from the URL and not displayed (docs/product.md#forms). */
  inviteCode: string(),
});
