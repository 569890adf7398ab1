import { type Static, Type } from 'typebox';
import { anyText } from '../../platform/http/body-validator';
import { CodeSchema, PhoneSchema, SignInEmailSchema } from '../../platform/http/schemas';

/**
 * Purpose of a verification code; a code proves nothing for another purpose. The first sign-in with a code registers; "account"
 * covers the copy of the user's data and the closure of the account.
 */
const CodePurposeSchema = Type.Enum(['login', 'password', 'cards', 'wallet', 'account']);
export type CodePurpose = Static<typeof CodePurposeSchema>;

/** Exactly one of both (identifier.ts). */
const identifier = { phone: Type.Optional(PhoneSchema), email: Type.Optional(SignInEmailSchema) };

export const SendCodeBodySchema = Type.Object({
  ...identifier,
  /** Purpose of the code; login by default. The codes of login and register are the same. */
  scene: Type.Optional(Type.Union([CodePurposeSchema, Type.Literal('register')])),
});
export type SendCodeBody = Static<typeof SendCodeBodySchema>;
export const SendCodeAnswerSchema = Type.Object({
  /** Seconds. */
  expires_in: Type.Integer(),
  resend_after: Type.Integer(),
});
export const sendCodeCall = { body: SendCodeBodySchema, data: SendCodeAnswerSchema };

const PasswordInputSchema = Type.String({ minLength: 1, maxLength: 128, ...anyText });

export const LoginBodySchema = Type.Object({
  ...identifier,
  login_type: Type.Union([Type.Literal('password'), Type.Literal('verify')]),
  password: Type.Optional(Type.String({ maxLength: 128, ...anyText })),
  verify: Type.Optional(Type.String({ maxLength: 12 })),
});
export type LoginBody = Static<typeof LoginBodySchema>;
export const TokenAnswerSchema = Type.Object({
  token_type: Type.String(),
  access_token: Type.String(),
  /** Seconds. */
  expires_in: Type.Integer(),
});
export type TokenAnswer = Static<typeof TokenAnswerSchema>;
export const loginCall = { body: LoginBodySchema, data: TokenAnswerSchema };

export const RegisterBodySchema = Type.Object({
  ...identifier,
  password: PasswordInputSchema,
  verify: CodeSchema,
  invite_code: Type.Optional(Type.String({ maxLength: 32 })),
});
export type RegisterBody = Static<typeof RegisterBodySchema>;
export const registerCall = { body: RegisterBodySchema, data: TokenAnswerSchema };

/** Signed out: phone or email, verify, password. Signed in: password and one of old_password or verify. */
export const SetPasswordBodySchema = Type.Object({
  ...identifier,
  verify: Type.Optional(CodeSchema),
  old_password: Type.Optional(PasswordInputSchema),
  password: PasswordInputSchema,
});
export type SetPasswordBody = Static<typeof SetPasswordBodySchema>;
export const SetPasswordAnswerSchema = Type.Object({ updated: Type.Boolean() });
export const setPasswordCall = { body: SetPasswordBodySchema, data: SetPasswordAnswerSchema };

export const LogoutAnswerSchema = Type.Object({ revoked: Type.Boolean() });

export const WxCodeQuerySchema = Type.Object({ callback: Type.String({ minLength: 1, maxLength: 500 }) });
export const WxCodeSchema = Type.Object({ url: Type.String() });
export const wxCodeCall = { query: WxCodeQuerySchema, data: WxCodeSchema };
export const WechatAuthorizeQuerySchema = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 200 }),
  state: Type.Optional(Type.String({ maxLength: 200 })),
});
export const wechatAuthorizeCall = { query: WechatAuthorizeQuerySchema, data: TokenAnswerSchema };
