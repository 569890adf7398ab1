import type { DocumentFlags } from '@platform/releases/contract';
import type { BootSite } from '../site/site';

declare const bootSite: BootSite;

/**
 * Flags a document that shows the page of another session than that in storage, or that asks a signed-in user to sign in
 * (boot.css hides it).
 */
export function hideOtherUsersPage(): void {
  const flags: DocumentFlags = document.documentElement.dataset;
  let token = '';
  try {
    token = localStorage.getItem(bootSite.tokenKey) || '';
  } catch {
    // A browser without storage has no session.
  }
  const start = (token.split(' ')[1] || '').slice(0, 8);
  if (start === (flags.user || '')) return;
  flags.redraw = 'user';
  delete flags.user;
}
