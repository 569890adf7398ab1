/** Addresses that no remote may claim: pages of the shell, and what the server answers itself. */

/** Pages of the shell (shell/src/app/router.tsx); '/' leads to the home page. */
export const SHELL_ROUTES = ['/', '/403', '/404'] as const;

/** A page of the same address would pass for the server's, such as the sign-in of staff. */
export const SERVER_ROUTES = [
  '/api/*',
  '/cashier/*',
  '/dev/*',
  '/docs/*',
  '/healthz/*',
  '/livez/*',
  '/media/*',
  '/metrics/*',
  '/openapi.json',
  '/ops/*',
  '/r/*',
  '/releases/*',
  '/robots.txt',
  '/sitemap.xml',
  '/staff/*',
  '/uploads/*',
] as const;
