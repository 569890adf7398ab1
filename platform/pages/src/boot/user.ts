/**
 * Runs before the boot script in documents that were rendered for a user (`data-user`, the first characters of the session's token) or for
 * a browser without a session. When the browser's storage differs, the page is hidden (boot.css), and the shell renders it again.
 */
import type { DocumentFlags } from '@platform/releases/contract';
import type { BootSite } from '../site/site';

declare const bootSite: BootSite;

const flags: DocumentFlags = document.documentElement.dataset;
let token = '';
try {
  token = localStorage.getItem(bootSite.tokenKey) || '';
} catch {
  // A browser without storage has no session.
}
if ((token.split(' ')[1] || '').slice(0, 8) !== (flags.user || '')) {
  flags.redraw = 'user';
  delete flags.user;
}
