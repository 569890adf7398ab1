import { type Static, Type } from 'typebox';

/** What a verification code is asked for, `scene` of the call; a code proves nothing for another purpose. */
export const CodePurposeSchema = Type.Union([
  Type.Literal('login'),
  Type.Literal('register'),
  Type.Literal('password'),
  Type.Literal('cards'),
]);
export type CodePurpose = Static<typeof CodePurposeSchema>;
