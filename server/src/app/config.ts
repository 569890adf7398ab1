import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { StartError } from '../db/database';

export interface Config {
  production: boolean;
  dataDir: string;
  /** Signs short-lived tokens (account checks, uploads). Several processes must share it. */
  secret: string;
  /** Keys of what is encrypted at rest: id to 32 bytes. The first one encrypts, every one decrypts. */
  cardKeys: Array<{ id: string; key: Buffer }>;
  /** Where the sandbox cashier is on. */
  sandbox: boolean;
  sandboxPayKey: string;
  /** Addresses of the proxies before the server ("loopback", "10.0.0.0/8"); false takes the connection's own address. */
  trustProxy: false | string;
  logger: boolean;
  /** For how many ms answers in memory are used before the database is asked what has changed; see app/public-answers.ts. */
  freshMs: number;
}

export interface ConfigInput {
  dataDir: string;
  env?: NodeJS.ProcessEnv;
  logger?: boolean;
}

/**
 * Reads the environment: CARD_KEYS ("id:base64,id:base64"), APP_SECRET, SANDBOX_PAY_KEY, TRUST_PROXY, ANSWERS_FRESH_MS, NODE_ENV,
 * SANDBOX.
 * Outside production, what is missing is made up once and kept in the data folder.
 */
export function readConfig({ dataDir, env = process.env, logger = false }: ConfigInput): Config {
  const production = env.NODE_ENV === 'production';
  const kept = (name: string, variable: string) => {
    if (production) throw new StartError(`${variable} must be set with NODE_ENV=production.`);
    return keepSecret(dataDir, name);
  };
  const secret = env.APP_SECRET || kept('app-secret', 'APP_SECRET');
  if (secret.length < 16) throw new StartError('APP_SECRET must be at least 16 characters long.');
  const cardKeys = parseKeys(env.CARD_KEYS || `local:${kept('card-key', 'CARD_KEYS')}`);
  const sandbox = !production;
  const freshMs = Number(env.ANSWERS_FRESH_MS ?? 100);
  if (!(freshMs >= 0 && freshMs <= 60_000))
    throw new StartError('ANSWERS_FRESH_MS must be a number of ms up to 60000.');
  if (production && env.SANDBOX) throw new StartError('The sandbox providers do not start with NODE_ENV=production.');
  return {
    production,
    dataDir,
    secret,
    cardKeys,
    sandbox,
    sandboxPayKey: sandbox ? env.SANDBOX_PAY_KEY || `${secret}/sandbox-pay` : '',
    trustProxy: env.TRUST_PROXY || false,
    logger,
    freshMs,
  };
}

function parseKeys(text: string): Config['cardKeys'] {
  return text.split(',').map((part) => {
    const [id = '', encoded = ''] = part.trim().split(':');
    const key = Buffer.from(encoded, 'base64');
    if (!id || key.length !== 32)
      throw new StartError('CARD_KEYS must be "id:base64 of 32 bytes", separated by commas.');
    return { id, key };
  });
}

function keepSecret(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  try {
    fs.mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    throw new StartError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`);
  }
  try {
    // "wx": of two processes that start at once, one writes and both read the same.
    fs.writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new StartError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`);
    }
  }
  return fs.readFileSync(file, 'utf8').trim();
}
