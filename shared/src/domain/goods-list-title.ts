/** What the list of goods is called, in its document and in the bar: by what it is limited to, of which a letter alone names nothing. */
export function goodsListTitle(limits: ReadonlyArray<string | undefined>, allGames: string): string {
  const names = limits.filter((name) => name !== undefined);
  return (names.some((name) => name.length > 1) ? names : [allGames, ...names]).join(' ');
}
