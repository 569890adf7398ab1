/** What a verification code is asked for, `scene` of the call; a code proves nothing for another purpose. */
export const codePurposes = ['login', 'register', 'password', 'cards'] as const;
export type CodePurpose = (typeof codePurposes)[number];
