/** What the list of goods is called, in its document and in the tab: by what it is limited to. */
export function goodsListTitle(limits: ReadonlyArray<string | undefined>, allGames: string): string {
  return [limits.filter((name) => name).join(' '), allGames].filter((part) => part).join(' - ');
}
