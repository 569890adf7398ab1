import { object, string } from '@shop/shared/forms';
import { message } from '../texts';

const today = () => new Date().toISOString().slice(0, 10);

export const nicknameSchema = object({
  nickname: string()
    .trim()
    .required(message('setting.errors.nicknameRequired'))
    .max(32, message('setting.errors.nicknameLong')),
});
export const emailSchema = object({
  email: string()
    .trim()
    .max(120, message('setting.errors.emailLong'))
    .matches(/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/, {
      message: message('setting.errors.email'),
      excludeEmptyString: true,
    }),
});
export const birthdaySchema = object({
  birthday: string()
    .matches(/^\d{4}-\d{2}-\d{2}$/, { message: message('setting.errors.birthday'), excludeEmptyString: true })
    .test('past', message('setting.errors.birthdayFuture'), (value) => !value || value <= today()),
});
export const realNameSchema = object({
  name: string()
    .trim()
    .required(message('setting.errors.nameRequired'))
    .max(40, message('setting.errors.nameLong'))
    .matches(/^[\p{L}\p{M} .·•'’-]+$/u, { message: message('setting.errors.nameFormat'), excludeEmptyString: true }),
  id_card_code: string()
    .trim()
    .required(message('setting.errors.idCardRequired'))
    .matches(/^\d{17}[\dXx]$/, { message: message('setting.errors.idCardFormat'), excludeEmptyString: true }),
});
