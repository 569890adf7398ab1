import { createHash } from 'node:crypto';

/** Returns the source expression that allows exactly this inline script or style in a Content-Security-Policy. */
export const policyHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
