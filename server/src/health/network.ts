import { isIPv4, isIPv6 } from 'node:net';

/** How many networks of one IPv6 /48 can count at a time. */
const NETWORKS_OF_A_48 = 8;

/** The eight groups of an IPv6 address as numbers. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const left = numbers(head);
  if (tail === undefined) return left;
  const right = numbers(tail);
  return [...left, ...new Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right];
}

/** What one subscriber has: an IPv4 address, or an IPv6 /64. */
export function networkOf(address: string): string {
  const embedded = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (isIPv4(embedded)) return embedded;
  if (!isIPv6(embedded)) return 'unknown';
  return groupsOf(embedded)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The budget that a network draws on. The 65,536 networks of a /48 share eight, because one tenant often has it whole. */
export function budgetOf(network: string): string {
  const groups = network.split(':');
  if (groups.length !== 4) return network;
  return `${groups.slice(0, 3).join(':')}/${Number.parseInt(groups[3] ?? '0', 16) % NETWORKS_OF_A_48}`;
}
