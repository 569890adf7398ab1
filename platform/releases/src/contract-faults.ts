import { type GateFlow, isRoutePattern } from './contract';

interface Carrier {
  name: string;
  remote?: unknown;
  exposes: unknown;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isLocalText = (value: unknown) =>
  isText(value) || (isRecord(value) && isText(value['zh-CN']) && isText(value.en));

/** All faults of a remote's contract in words. They are complete because the shell and the documents use the contract unchecked. */
export function contractFaults({ name, remote, exposes }: Carrier): string[] {
  if (!isRecord(remote) || !Array.isArray(remote.routes)) return ['a remote must carry its remote.json with routes'];
  const faults: string[] = [];
  if (remote.name !== name) faults.push(`remote.json names "${remote.name}"`);
  for (const route of remote.routes) faults.push(...routeFaults(route, exposes));
  for (const list of ['tabBar', 'drawer'] as const) {
    const entries = remote[list] ?? [];
    if (Array.isArray(entries) && entries.every(isNavigationEntry)) continue;
    faults.push(`${list} must list entries with a path of the site, a label in both languages, an icon and an order`);
  }
  const { steps = [], links = {} } = remote;
  if (!isRecord(links) || !Object.values(links).every((path) => isText(path) && isRoutePattern(path)))
    faults.push('links must name pages with the paths of their routes');
  if (!Array.isArray(steps) || !steps.every(isStepRule))
    faults.push(
      'steps must list a "from" and a different "to" of lower-case letters, digits and hyphens; optional are "bound" (above 0 and below 1) and "dryRun"',
    );
  return faults;
}

const isWord = (value: unknown): value is string => isText(value) && /^[a-z][a-z0-9-]{0,39}$/.test(value);

function isStepRule(rule: unknown): boolean {
  if (!isRecord(rule)) return false;
  const { from, to, bound = 0.1, dryRun = false, ...others } = rule;
  return (
    Object.keys(others).length === 0 &&
    isWord(from) &&
    isWord(to) &&
    from !== to &&
    typeof bound === 'number' &&
    bound > 0 &&
    bound < 1 &&
    typeof dryRun === 'boolean'
  );
}

function isNavigationEntry(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { path, label, icon, order } = entry;
  return isText(path) && /^\/(?![/\\])/.test(path) && isLocalText(label) && isText(icon) && Number.isFinite(order);
}

function routeFaults(route: unknown, exposes: unknown): string[] {
  if (!isRecord(route)) return ['a route must be an object'];
  const { path, page, title, kind, parameters = {}, description, firstCalls = [] } = route;
  const called = `route "${path}"`;
  if (!isText(path) || !isRoutePattern(path)) {
    return [`${called} must consist of plain segments and ":name", each with an optional "?", and may end with "*"`];
  }
  const faults: string[] = [];
  if (!isText(page) || !isRecord(exposes) || !Object.hasOwn(exposes, page)) {
    faults.push(`${called} names page "${page}", which is not exposed`);
  }
  if (!isLocalText(title)) faults.push(`${called} needs a title`);
  if (description !== undefined && !isLocalText(description))
    faults.push(`${called} has a description that is not a text`);
  if (kind !== undefined && !isWord(kind))
    faults.push(`${called} has a kind other than lower-case letters, digits and hyphens`);
  if (!isRecord(parameters) || !Object.values(parameters).every(isText))
    faults.push(`${called} has parameters that are not names with texts`);
  if (!Array.isArray(firstCalls)) return [...faults, `${called} must list its first calls`];
  for (const call of firstCalls) {
    const url = isRecord(call) && isText(call.url) ? call.url : '';
    const parameters = url.match(/:[A-Za-z_]\w*/g) ?? [];
    if (!url.startsWith('/api/') || !parameters.every((parameter) => path.split('/').includes(parameter))) {
      faults.push(`first call "${url}" of "${path}" must start with /api/ and use only parameters of the route`);
    }
  }
  return faults;
}

const VERBS = ['press', 'fill', 'see', 'read', 'arrive', 'agrees'];

/** All faults of the flows in words; empty if they are sound. `routes` null: any route. */
export function flowFaults(flows: unknown, routes: readonly string[] | null): string[] {
  if (!Array.isArray(flows)) return ['flows must be a list'];
  const names = new Set<string>();
  return flows.flatMap((flow: Partial<GateFlow>) => {
    const called = `flow "${flow?.name}"`;
    const faults: string[] = [];
    if (typeof flow?.name !== 'string' || flow.name === '') faults.push('a flow needs a name');
    if (names.has(String(flow?.name))) faults.push(`${called} is defined twice`);
    names.add(String(flow?.name));
    if (flow?.visitor !== 'guest' && flow?.visitor !== 'signed in') {
      faults.push(`${called} needs a visitor, 'guest' or 'signed in'`);
    }
    if (routes && !routes.includes(String(flow?.route)))
      faults.push(`${called} names "${flow?.route}", which is not a route`);
    if (flow?.address !== undefined && !/^\/(?!\/)/.test(String(flow.address))) {
      faults.push(`${called} has an address that does not start with /`);
    }
    const steps: unknown = flow?.steps;
    const isSound = (step: unknown) => isRecord(step) && VERBS.filter((verb) => verb in step).length === 1;
    if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isSound)) {
      faults.push(`${called} needs steps, each one of ${VERBS.join(', ')}`);
    }
    return faults;
  });
}
