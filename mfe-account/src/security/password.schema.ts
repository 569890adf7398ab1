import { object, ref, string } from '@shop/shared/forms';
import { message } from '../texts';

const password = string()
  .required(message('security.errors.passwordRequired'))
  .min(8, message('security.errors.passwordLength'))
  .max(32, message('security.errors.passwordLength'));
const confirm = string()
  .required(message('security.errors.confirmRequired'))
  .oneOf([ref('password')], message('security.errors.confirmDiffers'));

export const byOldPasswordSchema = object({
  old_password: string().required(message('security.errors.oldRequired')),
  password: password.notOneOf([ref('old_password')], message('security.errors.passwordSame')),
  confirm,
});

export const byCodeSchema = object({
  verify: string()
    .required(message('security.errors.codeRequired'))
    .matches(/^\d{6}$/, { message: message('security.errors.codeFormat'), excludeEmptyString: true }),
  password,
  confirm,
});
