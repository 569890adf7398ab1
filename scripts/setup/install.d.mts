export const root: string;
export function requireNode(): void;
export function notAsLocked(): string[];
export function installWhatIsMissing(): Promise<void>;
