/** Removes markup from a text that other users read. React escapes it as well; body-validator.ts has already refused control characters. */
export const plainText = (text: string) => text.replace(/[<>]/g, '').trim();
