interface Page {
  remote: string;
  path: string;
  query: string[];
}
interface Contract {
  name: string;
  routes: Array<{ page: string; path: string; query?: string[] }>;
}
export function pagesOf(remotes: Contract[], before?: Record<string, Page>): Record<string, Page>;
export function typesOf(pages: Record<string, Page>): string;
