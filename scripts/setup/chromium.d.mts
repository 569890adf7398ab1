export function findChromium(env?: NodeJS.ProcessEnv): string | null;
export function findFullChromium(env?: NodeJS.ProcessEnv): string | null;
export function requireChromium(): string | null;
