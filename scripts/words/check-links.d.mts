export function brokenLinks(file: string, text: string, folder?: string): string[];
