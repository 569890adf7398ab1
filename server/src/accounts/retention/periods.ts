import type { Locale } from '../../platform/http/schemas';

/**
 * How long personal data is kept, as PostgreSQL intervals. Jobs delete by these (jobs/forget.ts), and the privacy article is
 * rendered from them (seed/seed.ts), so that it cannot promise anything else.
 */
export const periods = {
  /** From the request to close an account to its erasure; a sign-in in between withdraws it. */
  closure: '15 days',
  code: '5 minutes',
  /** After its end a code only counts wrong tries. */
  endedCode: '10 minutes',
  codeSends: '2 days',
  session: '30 days',
  /** Devices on which a code was entered; browsers keep no cookie longer. */
  devices: '400 days',
  responses: '24 hours',
  endedLimits: '1 hour',
  addresses: '6 months',
  unusedPictures: '7 days',
  invitation: '7 days',
  /** Payers as the provider identifies them, while invitations are open, and their country, while a rule asks for it. */
  payers: '6 months',
  enquiries: '1 year',
  notices: '30 days',
  stockWishes: '90 days',
  healthCounts: '24 hours',
  healthVotes: '13 hours',
  visitSteps: '6 hours',
  releaseEvents: '90 days',
  /** Nothing deletes sales records; the law requires this period. */
  sales: '3 years',
  support: '15 working days',
} as const;
export type PeriodName = keyof typeof periods;

const UNITS: Record<string, { seconds: number; zh: string }> = {
  minute: { seconds: 60, zh: '分钟' },
  hour: { seconds: 3600, zh: '小时' },
  day: { seconds: 86_400, zh: '天' },
  'working day': { seconds: Number.NaN, zh: '个工作日' },
  month: { seconds: Number.NaN, zh: '个月' },
  year: { seconds: Number.NaN, zh: '年' },
};

function partsOf(name: PeriodName) {
  const [, amount = '', unit = ''] = /^(\d+) (.+?)s?$/.exec(periods[name]) ?? [];
  const definition = UNITS[unit];
  if (!definition) throw new Error(`"${periods[name]}" has no known unit`);
  return { amount, ...definition };
}

export function secondsOf(name: PeriodName): number {
  const { amount, seconds } = partsOf(name);
  if (Number.isNaN(seconds)) throw new Error(`"${periods[name]}" has no fixed number of seconds`);
  return Number(amount) * seconds;
}

export function periodText(name: PeriodName, locale: Locale): string {
  const { amount, zh } = partsOf(name);
  return locale === 'en' ? periods[name] : `${amount} ${zh}`;
}

export function withPeriods(text: string, locale: Locale): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    if (!Object.hasOwn(periods, name)) throw new Error(`unknown period "${name}"`);
    return periodText(name as PeriodName, locale);
  });
}
