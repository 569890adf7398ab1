import { emailPattern } from '@shop/shared/domain/email';
import { formMessage, object, string } from '@shop/shared/forms';
import { messageKey } from '../texts';

/** Counts code points, as the server does: an emoji is one character. */
const within = (max: number) => (text: string | undefined) => [...(text ?? '')].length <= max;
const today = () => new Date().toISOString().slice(0, 10);

export const nicknameSchema = object({
  nickname: string()
    .trim()
    .required(messageKey('setting.errors.nicknameRequired'))
    .test('length', messageKey('setting.errors.nicknameLong'), within(32)),
});
export const emailSchema = object({
  email: string()
    .trim()
    .max(120, messageKey('setting.errors.emailLong'))
    .matches(emailPattern, { message: formMessage('email.format'), excludeEmptyString: true }),
});
export const birthdaySchema = object({
  birthday: string()
    .matches(/^\d{4}-\d{2}-\d{2}$/, { message: messageKey('setting.errors.birthday'), excludeEmptyString: true })
    .test('past', messageKey('setting.errors.birthdayFuture'), (value) => !value || value <= today()),
});
export const realNameSchema = object({
  name: string()
    .trim()
    .required(messageKey('setting.errors.nameRequired'))
    .test('length', messageKey('setting.errors.nameLong'), within(40))
    .matches(/^[\p{L}\p{M} .·•'’-]+$/u, { message: messageKey('setting.errors.nameFormat'), excludeEmptyString: true }),
  id_card_code: string()
    .trim()
    .required(messageKey('setting.errors.idCardRequired'))
    .matches(/^\d{17}[\dXx]$/, { message: messageKey('setting.errors.idCardFormat'), excludeEmptyString: true }),
});
