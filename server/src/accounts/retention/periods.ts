import type { Locale } from '../../platform/http/schemas';

/**
 * How long data of people is kept, as intervals of PostgreSQL. Jobs delete by these (jobs/forget.ts), and the privacy article is
 * rendered from them (seed/seed.ts), so that it cannot promise anything else.
 */
export const periods = {
  /** From the request to close an account to its erasure; a sign-in in between takes it back. */
  closure: '15 days',
  /** A verification code is valid. */
  code: '5 minutes',
  /** After its end it only counts wrong tries. */
  endedCode: '10 minutes',
  /** To which phone or mailbox codes went, and from which address, for the limits of a day. */
  codeSends: '2 days',
  session: '30 days',
  /** On which a code was given; the longest that browsers keep a cookie. */
  devices: '400 days',
  /** Stored responses by Idempotency-Key. */
  responses: '24 hours',
  endedLimits: '1 hour',
  /** Network addresses in the audit log, of sign-ins and of orders. */
  addresses: '6 months',
  /** Uploaded pictures that their owner does not use. */
  unusedPictures: '7 days',
  /** A browser remembers by whose invitation somebody came. */
  invitation: '7 days',
  /** Who has paid, as the provider knows them, while invitations are open, and from which country, while a rule asks. */
  payers: '6 months',
  enquiries: '1 year',
  /** What was told by mail and push, or could not be. */
  notices: '30 days',
  /** Waiting for goods to be in stock again. */
  stockWishes: '90 days',
  /** Counts of page visits and failures; they name nobody. */
  healthCounts: '24 hours',
  healthVotes: '13 hours',
  /** Which steps each visit has reached. */
  visitSteps: '6 hours',
  /** How many visits reached a step, by day. */
  stepsByDay: '13 months',
  /** What the watcher did with releases. */
  releaseEvents: '90 days',
  /** Nothing deletes records of sales; the law asks for this long. */
  sales: '3 years',
  /** In which support answers. */
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
  const known = UNITS[unit];
  if (!known) throw new Error(`"${periods[name]}" has no known unit`);
  return { amount, ...known };
}

/** Of minutes, hours and days. */
export function secondsOf(name: PeriodName): number {
  const { amount, seconds } = partsOf(name);
  if (Number.isNaN(seconds)) throw new Error(`"${periods[name]}" has no fixed number of seconds`);
  return Number(amount) * seconds;
}

export function periodText(name: PeriodName, locale: Locale): string {
  const { amount, zh } = partsOf(name);
  return locale === 'en' ? periods[name] : `${amount} ${zh}`;
}

/** Replaces `{{closure}}` and the other names of periods in a text. */
export function withPeriods(text: string, locale: Locale): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    if (!Object.hasOwn(periods, name)) throw new Error(`there is no period "${name}"`);
    return periodText(name as PeriodName, locale);
  });
}
