export function partsOf(files: string[]): Array<'check' | 'units' | 'releases' | 'server' | 'e2e'>;
