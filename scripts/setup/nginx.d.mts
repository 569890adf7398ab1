export function findNginx(env?: NodeJS.ProcessEnv): string | null;
export function requireNginx(): string | null;
