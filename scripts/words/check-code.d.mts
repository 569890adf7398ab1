export function faultsOf(file: string, text: string): string[];
