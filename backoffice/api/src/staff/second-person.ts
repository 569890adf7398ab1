/** The one rule for two persons: which acts one person does not do alone, and who counts as the second. */
import type { ActName, ActRequest } from '@platform/releases';
import type { Currency } from '@shop/server/platform/http/schemas';
import type { Settings } from '@shop/server/platform/settings/settings';

export const PEOPLE = 2;

/** By `name` of one release only. */
export interface SecondPersonRule {
  act: ActName;
  name?: string;
}

const WHOLE: readonly ActName[] = ['restore', 'settings'];
const NAMED: readonly ActName[] = ['promote', 'rollback', 'freeze', 'unfreeze', 'render-off', 'render-on'];

/** OPS_SECOND_PERSON: "promote:shell,unfreeze,restore". */
export function parseSecondPerson(settings: Settings): SecondPersonRule[] {
  return settings
    .get('OPS_SECOND_PERSON')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [act = '', name, ...rest] = part.split(':');
      const isKnown = NAMED.includes(act as ActName) || (WHOLE.includes(act as ActName) && name === undefined);
      if (!isKnown || rest.length > 0 || (name !== undefined && !/^[a-z][a-z0-9-]{0,40}$/.test(name)))
        settings.problem(
          `OPS_SECOND_PERSON: "${part}" is none of ${NAMED.join(', ')}, each with :name or without, ${WHOLE.join(', ')}.`,
        );
      return { act: act as ActName, name };
    });
}

export function actNeedsSecond(rules: readonly SecondPersonRule[], act: ActRequest): boolean {
  const covers = (one: ActName, name?: string) =>
    rules.some((rule) => rule.act === one && (rule.name === undefined || rule.name === name));
  if (act.act === 'promote-together') return act.releases.some(({ name }) => covers('promote', name));
  return covers(act.act, 'name' in act ? act.name : undefined);
}

/** Minor units. What went back of an order or payment before, or was given to a wallet lately, counts too, so that parts do not get around the bound. */
export const refundNeedsSecond = (
  bounds: Partial<Record<Currency, number>>,
  { currency, refunded, amount }: { currency: Currency; refunded: number; amount: number },
): boolean => refunded + amount > (bounds[currency] ?? Number.POSITIVE_INFINITY);

/** Who somebody is where two must agree; null: nobody, because the break-glass token is good in every hand. */
export const countsAs = ({ way, subject }: { way: string; subject: string }): string | null =>
  way === 'token' ? null : subject;

export const isAnother = <Person>(asked: Person, second: Person | null): boolean => second !== null && second !== asked;
