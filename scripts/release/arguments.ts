import { type Grant, isReleaseName, isReleaseVersion, type ReleaseNamed, ROLES, releaseName } from '@platform/releases';
import { UsageError } from '@platform/releases/service';

export function wholeNumber(option: string, value: string | undefined, minimum: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < minimum) {
    throw new UsageError(`--${option} takes a whole number from ${minimum}, not "${value}"`);
  }
  return number;
}

export function shareOf(option: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0 || number > 100) {
    throw new UsageError(`--${option} takes more than 0 and at most 100 per cent, not "${value}"`);
  }
  return number;
}

type GrantOptions = Partial<Record<'role' | 'remotes' | 'max-traffic', string>>;

export function grantOf({ remotes: names = '', ...values }: GrantOptions): Grant {
  const role = ROLES.find((role) => role === values.role);
  if (!role) throw new UsageError(`--role takes one of ${ROLES.join(', ')}`);
  const remotes = names.split(',').filter(Boolean).map(releaseName);
  return { role, remotes, maxTraffic: shareOf('max-traffic', values['max-traffic']) };
}

/** 'auto', or shares such as 10,25,50,100. */
export function canaryOf(canary: string | undefined): readonly number[] | 'auto' | undefined {
  if (canary === undefined || canary === 'auto') return canary;
  const steps = canary.split(',').map(Number);
  const rises = steps.every((step, index) => step > (steps[index - 1] ?? 0) && step <= 100);
  if (!rises || steps[0] === 100) {
    throw new UsageError(`--canary takes auto or rising shares such as 10,25,50,100, not "${canary}"`);
  }
  return steps;
}

/** 'mfe-catalog@1.0.0-3f9c2ab1' */
function target(text: string): ReleaseNamed {
  const [name = '', ...rest] = text.split('@');
  const version = rest.join('@') || undefined;
  if (!isReleaseName(name)) {
    throw new UsageError(`"${text}" is not a name such as catalog or catalog@1.0.0-3f9c2ab1`);
  }
  if (version && !isReleaseVersion(version)) {
    throw new UsageError(`"${version}" is not a version such as 1.0.0-3f9c2ab1`);
  }
  return { name: releaseName(name), version };
}

interface Named {
  names: string[];
  usage: string;
}

export function targets({ names, usage }: Named): ReleaseNamed[] {
  if (names.length === 0) throw new UsageError(`a name is missing: npm run release -- ${usage}`);
  return names.map(target);
}

export function onlyTarget(named: Named): ReleaseNamed {
  const [first, second] = targets(named);
  if (!first || second) throw new UsageError(`one name is enough: npm run release -- ${named.usage}`);
  return first;
}

export const optionalTarget = (named: Named): Partial<ReleaseNamed> =>
  named.names.length > 0 ? onlyTarget(named) : {};
