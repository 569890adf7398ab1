export function runs(file: string): boolean;
