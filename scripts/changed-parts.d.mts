export function partsOf(files: string[]): Array<'check' | 'units' | 'releases' | 'server' | 'e2e'>;
export function changedSinceMain(cwd?: string): { since: string; files: string[]; modules: boolean };
