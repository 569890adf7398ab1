import { object, ref, string } from '@shop/shared/forms';
import { messageKey } from '../texts';

const password = string()
  .required(messageKey('security.errors.passwordRequired'))
  .min(8, messageKey('security.errors.passwordLength'))
  .max(32, messageKey('security.errors.passwordLength'));
const confirm = string()
  .required(messageKey('security.errors.confirmRequired'))
  .oneOf([ref('password')], messageKey('security.errors.confirmDiffers'));

export const byOldPasswordSchema = object({
  old_password: string().required(messageKey('security.errors.oldRequired')),
  password: password.notOneOf([ref('old_password')], messageKey('security.errors.passwordSame')),
  confirm,
});

export const byCodeSchema = object({
  verify: string()
    .required(messageKey('security.errors.codeRequired'))
    .matches(/^\d{6}$/, { message: messageKey('security.errors.codeFormat'), excludeEmptyString: true }),
  password,
  confirm,
});
