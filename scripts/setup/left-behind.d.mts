export function leftBehind(folder: string, options?: { patienceMs?: number }): Promise<string[]>;
