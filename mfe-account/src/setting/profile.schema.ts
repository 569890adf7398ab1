import { object, string } from '@shop/shared/forms';
import { message } from '../texts';

/** Characters as a person counts them and as the server does: an emoji is one. */
const within = (max: number) => (text: string | undefined) => [...(text ?? '')].length <= max;
const today = () => new Date().toISOString().slice(0, 10);

export const nicknameSchema = object({
  nickname: string()
    .trim()
    .required(message('setting.errors.nicknameRequired'))
    .test('length', message('setting.errors.nicknameLong'), within(32)),
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
    .test('length', message('setting.errors.nameLong'), within(40))
    .matches(/^[\p{L}\p{M} .·•'’-]+$/u, { message: message('setting.errors.nameFormat'), excludeEmptyString: true }),
  id_card_code: string()
    .trim()
    .required(message('setting.errors.idCardRequired'))
    .matches(/^\d{17}[\dXx]$/, { message: message('setting.errors.idCardFormat'), excludeEmptyString: true }),
});
