export function bundle(name: 'browser' | 'server'): Promise<void>;
