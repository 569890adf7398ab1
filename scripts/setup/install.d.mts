export const root: string;
export function requireNode(): void;
export function notAsLocked(folder?: string): string[];
export function installWhatIsMissing(): Promise<void>;
