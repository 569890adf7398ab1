import { NOTHING_KNOWN, type PageDescription } from '@platform/pages';
import type { Sql } from '../../platform/db/sql';
import type { PageKinds } from '../page-describer';
import { articleKind } from './article-page';
import { listKind, OF_A_SEARCH } from './list-page';
import { productKind } from './product-page';

/** Of no use to somebody who searches: each address is one user's. */
const UNLISTED: PageDescription = { noindex: true, page: null };
const HOME = { search: { kind: 'search', query: 'keyword={search_term_string}' } };

/** The kinds of pages that a remote.json of this shop may name (docs/guides/external-remotes.md). `sql` has the limits of calls that only read. */
export const shopPageKinds = (sql: Sql): PageKinds => ({
  home: { describe: () => HOME },
  list: listKind(sql),
  product: productKind(sql),
  article: articleKind(sql),
  invitation: { describe: () => UNLISTED, pages: async () => [] },
  search: { describe: ({ query }) => (query.get('keyword')?.trim() ? OF_A_SEARCH : NOTHING_KNOWN) },
});
