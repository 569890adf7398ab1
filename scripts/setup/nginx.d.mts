export function findNginx(env?: NodeJS.ProcessEnv): string | null;
export function canInstallNginx(): boolean;
export function nginxIfPossible(): string | null;
