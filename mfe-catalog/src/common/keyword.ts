/** The server's limit (GoodsListQuerySchema), in code points. */
const longest = 60;

/** The search keyword of a query parameter or an input; empty for none. */
export function readKeyword(text: string | null | undefined): string {
  return [...(text ?? '').trim()].slice(0, longest).join('');
}
