/** As much of a word as the server takes (GoodsListQuerySchema). By characters: half an emoji cannot be sent. */
const longest = 60;

/** What an address or a field holds as the word that is searched for; empty for none. */
export function readKeyword(text: string | null | undefined): string {
  return [...(text ?? '').trim()].slice(0, longest).join('');
}
