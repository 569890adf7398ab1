import { EnvReader } from './env-reader';

/** Who is told what the watcher does. */
export interface Webhooks {
  urls: string[];
  /** Signs what is sent. */
  secret: string;
}

export function readWebhooks(env: NodeJS.ProcessEnv, production: boolean, problems: string[]): Webhooks {
  const read = new EnvReader(env, production, problems);
  const urls = read
    .text('RELEASE_WEBHOOK_URL')
    .split(/[\s,]+/)
    .filter(Boolean);
  if (urls.length === 0) return { urls, secret: '' };
  for (const url of urls) {
    if (!URL.canParse(url) || !(production ? ['https:'] : ['https:', 'http:']).includes(new URL(url).protocol))
      problems.push('RELEASE_WEBHOOK_URL must be https addresses, separated by commas.');
  }
  const because = 'RELEASE_WEBHOOK_URL is set';
  return {
    urls,
    secret: read.need('RELEASE_WEBHOOK_SECRET', because, /^\S{32,}$/, 'must be at least 32 characters long'),
  };
}
