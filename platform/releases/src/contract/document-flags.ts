/**
 * The `data-*` attributes of the root element, by which the document, its boot script, the host and the shell share state. They
 * work before any module has loaded, and between two shells in one document.
 */
export interface DocumentFlags {
  /** "light" or "dark". */
  theme?: string;
  /** Version of the shell that rendered the page, its language, theme and path. */
  rendered?: string;
  /** Prefix of the token of the session for which the page was rendered. */
  user?: string;
  /** JSON of the calls that the boot script starts. */
  calls?: string;
  /** The visitor needs another page than the rendered one: "user" if it belongs to another session. */
  redraw?: string;
  /** The document shows a preview of a release. */
  preview?: string;
  /** Version of the live shell; absent on a development server. */
  shell?: string;
  /** JSON of the previous shell, which starts if the live one does not. */
  before?: string;
  /** Version of the previous shell, once it runs. */
  rescued?: string;
  /** Version of the shell that has thrown in this tab. */
  broken?: string;
  /** A shell has started. */
  started?: string;
  /** No shell could start; the document shows a message. */
  failed?: string;
  /** Number of actions during which the document must not be reloaded. */
  holds?: string;
}
