/** Pages of the shell, which no remote may claim; '/' leads to the home page. */
export const SHELL_ROUTES = ['/', '/403', '/404'] as const;
