/**
 * The `data-*` attributes of the root element, by which the document, its boot script, the host and the shell share state. They
 * work before any module has loaded, and between two shells in one document.
 */
export interface DocumentFlags {
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
  shell?: string;
  /** JSON of the previous shell, which starts if the live one does not. */
  before?: string;
  rescued?: string;
  /** Version of the shell that has thrown in this tab. */
  broken?: string;
  started?: string;
  failed?: string;
  /** Number of actions during which the document must not be reloaded. */
  holds?: string;
}
