import type { GateFlow } from './contract';

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
    const isSound = (step: unknown) =>
      typeof step === 'object' && step !== null && VERBS.filter((verb) => verb in step).length === 1;
    if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isSound)) {
      faults.push(`${called} needs steps, each one of ${VERBS.join(', ')}`);
    }
    return faults;
  });
}
