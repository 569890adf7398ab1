/** What the panel asks the server for; the rest it knows from the document. Types only: browsers import this too. */
import type { PreviewRefusal } from '../compose/document-html';

export interface SizedRelease {
  version: string;
  /** Of all its scripts and styles, uncompressed; null where the release is gone. */
  bytes: number | null;
}

export interface PublishedRelease extends SizedRelease {
  /** ISO 8601. */
  at: string;
  by: string;
  /** Why others would not get it by its address. */
  refusal: PreviewRefusal | null;
}

export interface PanelRelease {
  name: string;
  live: SizedRelease | null;
  canary: (SizedRelease & { traffic: number }) | null;
  /** Newest first, not all; null for a name that the right is not for. */
  published: PublishedRelease[] | null;
}

export interface PanelState {
  channel: string;
  by: string;
  releases: PanelRelease[];
  /** Of a dev server: origin of the deployed site that it shows. */
  deployed?: string;
}
