import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Stands for every client whose address a proxy does not name, so that all of them share one limit. */
const UNKNOWN = 'unknown';
/** Proxies between client and server. A client can write more entries, which no one has checked. */
const MOST_PROXIES = 16;

/**
 * The address in an entry of X-Forwarded-For: without port, brackets, zone and the `for=` of the Forwarded header. 'unknown' for
 * an entry without one.
 */
function addressIn(entry: string): string {
  const [host = ''] = entry.replace(/["\s]/g, '').replace(/^for=/i, '').split(';');
  const bare = /^\[([^\]]*)\](:[\w.-]*)?$/.exec(host)?.[1] ?? host;
  const address = [bare, bare.replace(/:[\w.-]*$/, '')].map((text) => text.replace(/%.*$/, '')).find(isIP);
  return address ? ipaddr.process(address).toString() : UNKNOWN;
}

/** X-Forwarded-For with plain addresses, which Fastify compares with TRUST_PROXY from the end. Blank entries are left out. */
export const plainAddresses = (header: string): string =>
  header
    .split(',')
    .filter((entry) => entry.trim())
    .slice(-MOST_PROXIES)
    .map(addressIn)
    .join(', ');

export interface Network {
  block: string;
  /** This wider block may use the limit of one network times this factor. */
  factor: number;
}

/** One home or phone has an IPv4 address or an IPv6 /64; a provider's customer may hold a /56 or /48 and change within it. */
const widths = {
  ipv4: [
    [32, 1],
    [24, 4],
  ],
  ipv6: [
    [64, 1],
    [56, 2],
    [48, 4],
  ],
} as const;

/** The prefixes of an address, narrowest first. All texts that are no address belong to one network. */
export function networksOf(address: string): Network[] {
  const plain = addressIn(address);
  if (plain === UNKNOWN) return [{ block: UNKNOWN, factor: 1 }];
  const parsed = ipaddr.parse(plain);
  return widths[parsed.kind()].map(([prefix, factor]) => {
    const bytes = parsed
      .toByteArray()
      .map((byte, index) => byte & (0xff << Math.min(8, Math.max(0, 8 * (index + 1) - prefix))));
    return { block: `${ipaddr.fromByteArray(bytes.map((byte) => byte & 0xff)).toString()}/${prefix}`, factor };
  });
}

/** The prefix that counts as one visitor's network. */
export const networkOf = (address: string): string => networksOf(address)[0]?.block ?? UNKNOWN;

/** The number of networks of one IPv6 /48 that can count at a time. */
const NETWORKS_OF_A_48 = 8;

/** The budget that a visitor uses. The 65,536 networks of a /48 share eight, because one customer often has all of it. */
export function budgetOf(address: string): string {
  const [narrow, , wide] = networksOf(address);
  if (!narrow || !wide) return networkOf(address);
  const [fourth = 0] = (ipaddr.parse(addressIn(address)) as ipaddr.IPv6).parts.slice(3);
  return `${wide.block} ${fourth % NETWORKS_OF_A_48}`;
}
