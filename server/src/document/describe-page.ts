import type { DocumentLanguage, DocumentStatus, PageMetadata } from '@platform/pages';
import type { RouteContract } from '@platform/releases';

export interface RequestedPage {
  /** Null for an address that no route matches. */
  route: RouteContract | null;
  /** Path and query as requested. */
  address: string;
  language: DocumentLanguage;
}

/** What is known of a page besides what its route says. */
export interface PageDescription {
  status?: DocumentStatus;
  metadata?: Partial<PageMetadata>;
}

/** The same object until what is known changes: documents are found again by it. */
export type DescribePage = (page: RequestedPage) => Promise<PageDescription>;
