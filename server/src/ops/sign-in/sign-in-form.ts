import { escapeHtml } from '../../platform/http/html';

interface Ways {
  /** Of the provider; null without one. */
  label: string | null;
  takesTokens: boolean;
  /** Somebody was refused with a token just now. */
  wasRefused: boolean;
}

const tokenForm = `<form method="post" action="/ops/login">
      <p class="muted">With a token of your own (OPS_TOKENS) no name is needed. The shared one is OPS_TOKEN; without either, a shop outside production printed a random token when it started.</p>
      <label>Your name, for the history <input name="person" autocomplete="username" maxlength="40"></label>
      <label>Token <input name="token" type="password" autocomplete="current-password" required></label>
      <button type="submit">Sign in</button>
    </form>`;

/** What a signed-out visitor of /ops sees. */
export function signInForm({ label, takesTokens, wasRefused }: Ways): string {
  const provider = label === null ? '' : `<a class="button" href="/ops/login">Sign in with ${escapeHtml(label)}</a>`;
  if (!takesTokens)
    return provider || '<p>Nobody can sign in here: neither a provider (OPS_OIDC_ISSUER) nor a token is set.</p>';
  if (!provider) return tokenForm;
  return `${provider}
    <details${wasRefused ? ' open' : ''}><summary>With a token, when the provider is away</summary>
    ${tokenForm}</details>`;
}
