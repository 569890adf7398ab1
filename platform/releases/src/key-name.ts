/** Visible characters only, none that the history uses to mark a role. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._/@:#-]{0,99}$/u;

export const isKeyName = (text: string): boolean => NAME.test(text);
