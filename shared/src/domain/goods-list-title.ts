/** Title of the list of goods, in its document and in the bar: its filters, except an initial alone, which names nothing. */
export function goodsListTitle(limits: ReadonlyArray<string | undefined>, allGames: string): string {
  const names = limits.filter((name) => name !== undefined);
  return (names.some((name) => name.length > 1) ? names : [allGames, ...names]).join(' ');
}
