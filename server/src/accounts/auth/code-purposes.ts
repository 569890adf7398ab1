import { type Static, Type } from 'typebox';

/**
 * What a verification code is asked for; a code proves nothing for another purpose. The first sign-in with a code registers; "account"
 * is for the copy of one's data and for closing the account.
 */
export const CodePurposeSchema = Type.Union([
  Type.Literal('login'),
  Type.Literal('password'),
  Type.Literal('cards'),
  Type.Literal('wallet'),
  Type.Literal('account'),
]);
export type CodePurpose = Static<typeof CodePurposeSchema>;
