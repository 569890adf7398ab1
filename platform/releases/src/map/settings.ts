import { type ChannelSettings, isReleaseName, type OutsideJudge, type ReleaseMap } from '../contract';
import { isRecord } from '../is-record';
import { type Author, MapError, nextRevision } from './map-change';

const MOST_JUDGES = 5;
const MOST_SECONDS = 60;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const BY_DEFAULT: ChannelSettings = { provenance: 'off', judges: [] };

export const settingsOf = ({ ops }: Pick<ReleaseMap, 'ops'>): ChannelSettings => ({ ...BY_DEFAULT, ...ops.settings });

/** What somebody wrote as the outside judges of a channel. Throws MapError `bad-judges`. */
export function toJudges(given: unknown): OutsideJudge[] {
  if (!Array.isArray(given) || given.length > MOST_JUDGES)
    throw new MapError('bad-judges', `outside judges are a list of at most ${MOST_JUDGES}`);
  const judges = given.map(toJudge);
  const [twice] = judges.filter(({ name }, index) => judges.findIndex((one) => one.name === name) < index);
  if (twice) throw new MapError('bad-judges', `two outside judges have the name ${twice.name}`);
  return judges;
}

function toJudge(given: unknown): OutsideJudge {
  const { name, url, before, seconds = 10, remotes, ...more } = isRecord(given) ? given : {};
  const refuse = (why: string) =>
    new MapError('bad-judges', `the outside judge ${JSON.stringify(name ?? null)} ${why}`);
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,30}$/.test(name)) throw refuse('has no name such as load-test');
  if (typeof url !== 'string' || !isJudgeAddress(url))
    throw refuse('needs an https address without a query, a password or a fragment');
  if (!Array.isArray(before) || before.length === 0 || before.some((one) => one !== 'raise' && one !== 'everybody'))
    throw refuse('needs "before": ["raise"], ["everybody"] or both');
  if (typeof seconds !== 'number' || !(seconds >= 1 && seconds <= MOST_SECONDS))
    throw refuse(`has from 1 to ${MOST_SECONDS} "seconds" to answer`);
  const areNames = Array.isArray(remotes) && remotes.every((one) => typeof one === 'string' && isReleaseName(one));
  if (remotes !== undefined && !areNames) throw refuse('has "remotes" that are no names of releases');
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw refuse(`has a field ${JSON.stringify(unknown)} that is not known`);
  return { name, url, before, seconds, ...(remotes && { remotes }) };
}

function isJudgeAddress(text: string): boolean {
  if (!URL.canParse(text) || text.length > 300) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname));
  return isSafe && username + password + search + hash === '';
}

const textOf = ({ provenance, judges }: Partial<ChannelSettings>): string =>
  [
    ...(provenance ? [`provenance ${provenance}`] : []),
    ...(judges?.map(({ name, before }) => `judge ${name} before ${before.join(', ')}`) ?? []),
    ...(judges?.length === 0 ? ['no judge'] : []),
  ].join('; ');

/** What is not given stays. Throws MapError `unchanged` when all is set so already, and `bad-judges`. */
export function settingsInMap(map: ReleaseMap, given: Partial<ChannelSettings>, author: Author): ReleaseMap {
  const wanted = { ...given, ...(given.judges && { judges: toJudges(given.judges) }) };
  const now = settingsOf(map);
  const names = Object.keys(wanted) as Array<keyof ChannelSettings>;
  const before = Object.fromEntries(names.map((name) => [name, now[name]]));
  if (JSON.stringify(before) === JSON.stringify(wanted)) throw new MapError('unchanged', `${textOf(before)} already`);
  const change = { action: 'settings', name: '*', from: textOf(before), to: textOf(wanted) } as const;
  const next = nextRevision(map, change, author);
  next.ops.settings = { ...map.ops.settings, ...wanted };
  return next;
}
