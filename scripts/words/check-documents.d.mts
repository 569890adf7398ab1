export function proseFaults(file: string, text: string): string[];
export function brokenLinks(file: string, text: string, folder?: string): string[];
