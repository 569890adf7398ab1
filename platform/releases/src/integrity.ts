import { createHash } from 'node:crypto';

const digest = (algorithm: string, content: Buffer | string) =>
  `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;

export const integrityOf = (content: Buffer | string): string => digest('sha384', content);

export const matchesIntegrity = (content: Buffer, integrity: string): boolean =>
  digest(integrity.slice(0, integrity.indexOf('-')), content) === integrity;
