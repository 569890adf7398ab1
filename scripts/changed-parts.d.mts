export function partsOf(files: string[]): Record<'check' | 'units' | 'releases' | 'server' | 'e2e', boolean>;
