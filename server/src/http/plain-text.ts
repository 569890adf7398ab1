/** Without markup, control and direction characters: other people read it. React escapes it as well. */
export const plainText = (text: string) => text.replace(/[<>\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '').trim();
