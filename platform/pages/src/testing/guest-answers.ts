import type { DocumentOptions } from '../document.plugin';

/** Calls of an API whose answers are these texts, their own tags; what has none in memory is answered all the same. */
export function publicReadsOf(
  textOf: (address: string) => string | undefined,
): NonNullable<DocumentOptions['publicReads']> {
  const answerOf = (text: string) => ({ body: Buffer.from(JSON.stringify({ code: 200, data: text })), etag: text });
  return {
    known(address) {
      const text = textOf(address);
      return text === undefined ? undefined : answerOf(text);
    },
    answer: async () => answerOf('asked'),
  };
}
