import { parseArgs } from 'node:util';
import { containsKey, type Grant, isReleaseName, isReleaseVersion, ROLES, releaseName } from '@platform/releases';
import { UsageError } from '@platform/releases/service';
import { COMMANDS } from './help';

const OPTIONS = {
  channel: { type: 'string' },
  store: { type: 'string' },
  shop: { type: 'string' },
  by: { type: 'string' },
  why: { type: 'string' },
  to: { type: 'string' },
  map: { type: 'string' },
  traffic: { type: 'string' },
  canary: { type: 'string' },
  skip: { type: 'string', multiple: true },
  from: { type: 'string' },
  against: { type: 'string' },
  limit: { type: 'string' },
  keep: { type: 'string' },
  days: { type: 'string' },
  name: { type: 'string' },
  role: { type: 'string' },
  remotes: { type: 'string' },
  channels: { type: 'string' },
  'max-traffic': { type: 'string' },
  all: { type: 'boolean' },
  together: { type: 'boolean' },
  replace: { type: 'boolean' },
  anyway: { type: 'boolean' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Throws UsageError. */
export function parse(args: string[]) {
  if (args.some(containsKey)) {
    throw new UsageError('others on this machine see arguments: revoke this key, and put keys in RELEASE_KEY');
  }
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : String(error));
  }
}

export type Values = ReturnType<typeof parse>['values'];

export function wholeNumber(
  values: Values,
  option: 'limit' | 'keep' | 'days' | 'map',
  minimum: number,
): number | undefined {
  const given = values[option];
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!Number.isInteger(number) || number < minimum) {
    throw new UsageError(`--${option} takes a whole number from ${minimum}, not "${given}"`);
  }
  return number;
}

export function shareOf(values: Values, option: 'traffic' | 'max-traffic'): number | undefined {
  const given = values[option];
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!Number.isFinite(number) || number <= 0 || number > 100) {
    throw new UsageError(`--${option} takes more than 0 and at most 100 per cent, not "${given}"`);
  }
  return number;
}

/** What a new key may do. */
export function grantOf(values: Values): Grant {
  const role = ROLES.find((one) => one === values.role);
  if (!role) throw new UsageError(`--role takes one of ${ROLES.join(', ')}`);
  const remotes = (values.remotes ?? '').split(',').filter(Boolean).map(releaseName);
  const channels = (values.channels ?? '').split(',').filter(Boolean);
  if (role === 'squad' && channels.length === 0)
    throw new UsageError('a squad needs --channels, the channels that it may change, such as --channels production');
  return { role, remotes, channels, maxTraffic: shareOf(values, 'max-traffic') };
}

/** 'auto', or shares such as 10,25,50,100. */
export function canaryOf({ canary, traffic }: Values): readonly number[] | 'auto' | undefined {
  if (canary === undefined) return undefined;
  if (traffic) throw new UsageError('--canary and --traffic exclude each other');
  if (canary === 'auto') return canary;
  const steps = canary.split(',').map(Number);
  const rises = steps.every((step, index) => step > (steps[index - 1] ?? 0) && step <= 100);
  if (!rises || steps[0] === 100) {
    throw new UsageError(`--canary takes auto or rising shares such as 10,25,50,100, not "${canary}"`);
  }
  return steps;
}

export interface Target {
  name: string;
  version?: string;
}

/** 'mfe-catalog@1.0.0-3f9c2ab1' */
function target(given: string): Target {
  const [name = '', ...rest] = given.split('@');
  const version = rest.join('@') || undefined;
  if (!isReleaseName(name)) {
    throw new UsageError(`"${given}" is not a name such as catalog or catalog@1.0.0-3f9c2ab1`);
  }
  if (version && !isReleaseVersion(version)) {
    throw new UsageError(`"${version}" is not a version such as 1.0.0-3f9c2ab1`);
  }
  return { name: releaseName(name), version };
}

export function targets(given: string[], command: string): Target[] {
  if (given.length === 0) {
    throw new UsageError(`${command} needs a name: npm run release -- ${COMMANDS[command]?.usage}`);
  }
  return given.map(target);
}

export function onlyTarget(given: string[], command: string): Target {
  const [first, second] = targets(given, command);
  if (!first || second) {
    throw new UsageError(`${command} takes one name: npm run release -- ${COMMANDS[command]?.usage}`);
  }
  return first;
}
