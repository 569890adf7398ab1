/** Codes of /staff and their texts. Apart from error-codes.ts, because no shopper's page needs them. */
import type { Language } from '.';

export const StaffErrorCode = {
  /** One answer for a wrong name, password and code. */
  StaffSignInRefused: 46001,
  StaffNameTaken: 46002,
  StaffWeakPassword: 46003,
  /** The last manager who can sign in stays one. */
  LastManager: 46004,
} as const;
export type StaffErrorName = keyof typeof StaffErrorCode;
export type StaffErrorCode = (typeof StaffErrorCode)[StaffErrorName];

export const staffErrorTexts: Record<StaffErrorName, Record<Language, string>> = {
  StaffSignInRefused: { 'zh-CN': '姓名、密码或动态码不正确', en: 'Wrong name, password or code' },
  StaffNameTaken: { 'zh-CN': '这个姓名已被使用', en: 'Somebody has this name already' },
  StaffWeakPassword: {
    'zh-CN': '密码需为 12 至 64 个字符，且不能过于简单',
    en: 'The password needs 12 to 64 characters and must not be a common one',
  },
  LastManager: { 'zh-CN': '至少要保留一位店长', en: 'At least one manager has to stay' },
};
