type Program = 'chromium' | 'fullChromium' | 'nginx' | 'initdb' | 'pgbouncer' | 'firefox' | 'webkitDriver' | 'xvfb';

export function findProgram(name: Program, env?: NodeJS.ProcessEnv): string | null;
export function requireProgram(name: Program): string | null;
export function howToInstall(name: Program): string;
