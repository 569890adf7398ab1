import { NOTHING_KNOWN, type PageDescription } from '@platform/pages';
import type { Sql } from '../../platform/db/sql';
import type { PageKinds } from '../page-describer';
import { articleKind } from './article-page';
import { listKind, OF_A_SEARCH } from './list-page';
import { productKind } from './product-page';

/** Not useful in search results: each address belongs to one user. */
const UNLISTED: PageDescription = { noindex: true, page: null };
const HOME = { search: { kind: 'search', query: 'keyword={search_term_string}' } };

/** The page kinds that a remote.json of this shop may name (docs/guides/external-remotes.md). `sql` has the limits of read-only calls. */
export const shopPageKinds = (sql: Sql): PageKinds => ({
  home: { describe: () => HOME },
  list: listKind(sql),
  product: productKind(sql),
  article: articleKind(sql),
  invitation: { describe: () => UNLISTED, pages: async () => [] },
  search: { describe: ({ query }) => (query.get('keyword')?.trim() ? OF_A_SEARCH : NOTHING_KNOWN) },
});
