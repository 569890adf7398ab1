/** Names of this machine, and addresses that no router passes on to the internet. */
const own =
  /^(localhost|127(\.\d{1,3}){3}|10(\.\d{1,3}){3}|192\.168(\.\d{1,3}){2}|172\.(1[6-9]|2\d|3[01])(\.\d{1,3}){2}|\[::1\]|[a-z0-9-]+\.local)$/;

/**
 * The address of this page at the dev server of somebody's machine, which shows the deployed site with their build; null for what is no
 * address of a machine near by.
 */
export function atOwnMachine(typed: string, page: { pathname: string; search: string }): string | null {
  const text = typed.trim();
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `http://${text}`);
  if (!url || !own.test(url.hostname) || url.username || url.password) return null;
  const query = new URLSearchParams(page.search);
  query.delete('release');
  const rest = query.size > 0 ? `?${query}` : '';
  return url.origin + page.pathname + rest;
}
