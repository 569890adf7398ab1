import { type Static, Type } from 'typebox';

/** What a verification code is asked for; a code proves nothing for another purpose. The first sign-in with a code registers. */
export const CodePurposeSchema = Type.Union([
  Type.Literal('login'),
  Type.Literal('password'),
  Type.Literal('cards'),
  Type.Literal('wallet'),
]);
export type CodePurpose = Static<typeof CodePurposeSchema>;
