import { paths as ofTheShop, type Queries } from './pages';

type PagesOfShop = {
  [Name in keyof typeof ofTheShop]: {
    path: (typeof ofTheShop)[Name];
    query: Name extends keyof Queries ? Queries[Name] : never;
  };
};

/** Pages by name; an external remote adds its own and those under "links" of its remote.json. */
export interface Pages extends PagesOfShop {}

interface Page {
  path: string;
  query: string;
}
type PageOf<Name extends keyof Pages> = Pages[Name] extends Page ? Pages[Name] : never;
type Parameter<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameter<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type Values<Name extends string> = Readonly<Record<Name, string | number>>;
type Rest<Name extends keyof Pages> = [Parameter<PageOf<Name>['path']>] extends [never]
  ? [parameters?: Record<string, never>, query?: Partial<Values<PageOf<Name>['query']>>]
  : [parameters: Values<Parameter<PageOf<Name>['path']>>, query?: Partial<Values<PageOf<Name>['query']>>];

/** Defined by a build: paths by page name of the pages that its code links to. */
declare const LINKED_PAGES: Readonly<Record<string, string>> | undefined;

const paths: Record<string, string> = { ...(typeof LINKED_PAGES === 'undefined' ? ofTheShop : LINKED_PAGES) };

/** For tests of an external remote: adds the pages of its own remote.json. */
export function addPages(routes: ReadonlyArray<{ page: string; path: string }>): void {
  for (const { page, path } of routes) paths[page.replace('./', '')] = path;
}

/**
 * The address of a page by its name in remote.json, with the parameters of its route and its query: `linkTo('search', {}, { keyword })`. A
 * build lists the page in the release's links, so that the gate checks for a live route; therefore the name must be a literal.
 */
export function linkTo<Name extends keyof Pages>(name: Name, ...[parameters = {}, query = {}]: Rest<Name>): string {
  const path = paths[name];
  if (path === undefined) throw new Error(`no page is called "${name}"`);
  const values = parameters as Record<string, string | number>;
  const search = Object.entries(query)
    .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`)
    .join('&');
  return (
    path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(values[key]))) + (search && `?${search}`)
  );
}
