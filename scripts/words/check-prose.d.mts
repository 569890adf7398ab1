export function proseFaults(file: string, text: string): string[];
