import { type Static, Type } from 'typebox';

/**
 * Purpose of a verification code; a code proves nothing for another purpose. The first sign-in with a code registers; "account"
 * covers the copy of the user's data and the closure of the account.
 */
export const CodePurposeSchema = Type.Union([
  Type.Literal('login'),
  Type.Literal('password'),
  Type.Literal('cards'),
  Type.Literal('wallet'),
  Type.Literal('account'),
]);
export type CodePurpose = Static<typeof CodePurposeSchema>;
