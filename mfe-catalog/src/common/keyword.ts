/** The server's limit (GoodsListQuerySchema), in code points. */
const longest = 60;

export function readKeyword(text: string | null | undefined): string {
  return [...(text ?? '').trim()].slice(0, longest).join('');
}
