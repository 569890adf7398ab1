import { type Static, Type } from 'typebox';

/**
 * Purpose of a verification code; a code proves nothing for another purpose. The first sign-in with a code registers; "account"
 * covers the copy of the user's data and the closure of the account.
 */
export const CodePurposeSchema = Type.Enum(['login', 'password', 'cards', 'wallet', 'account']);
export type CodePurpose = Static<typeof CodePurposeSchema>;
