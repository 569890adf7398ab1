import { emailPattern } from '@shop/shared/domain/email';
import { visibleText } from '@shop/shared/domain/plain-text';
import { formMessage, object, string } from '@shop/shared/forms';
import { readPhone } from './phone/phone';

const phone = string()
  .trim()
  .required(formMessage('phone.required'))
  .test('phone', formMessage('phone.format'), async (text, { parent }) => {
    if (!text) return true;
    // Without the numbering plans the server validates the number.
    return readPhone({ text, country: parent.country }).then(Boolean, () => true);
  });
const country = string();
const email = string()
  .transform(visibleText)
  .trim()
  .required(formMessage('email.required'))
  // The server validates the address.
  .matches(emailPattern, { message: formMessage('email.format'), excludeEmptyString: true });
const ofPhone = object({ phone, country });
const ofEmail = object({ email });
/** The schema of a form by its identifier. */
const byKind = (fields: Parameters<typeof ofPhone.shape>[0]) => ({
  phone: ofPhone.shape(fields),
  email: ofEmail.shape(fields),
});
const newPassword = string()
  .required(formMessage('password.required'))
  .min(8, formMessage('password.length?min=8&max=32'))
  .max(32, formMessage('password.length?min=8&max=32'));
const verify = string().trim().required(formMessage('code.required'));

export const passwordLoginSchema = byKind({ password: string().required(formMessage('password.required')) });
export const codeLoginSchema = byKind({ verify });
export const newPasswordSchema = byKind({ verify, password: newPassword });
