import ipaddr from 'ipaddr.js';

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

/** The prefixes of an address, narrowest first. */
export function networksOf(address: string): Network[] {
  if (!ipaddr.isValid(address)) return [{ block: address, factor: 1 }];
  const parsed = ipaddr.process(address);
  return widths[parsed.kind()].map(([prefix, factor]) => {
    const bytes = parsed
      .toByteArray()
      .map((byte, index) => byte & (0xff << Math.min(8, Math.max(0, 8 * (index + 1) - prefix))));
    return { block: `${ipaddr.fromByteArray(bytes.map((byte) => byte & 0xff)).toString()}/${prefix}`, factor };
  });
}

/** The prefix that counts as one visitor's network. */
export const networkOf = (address: string): string => networksOf(address)[0]?.block ?? address;

/** The number of networks of one IPv6 /48 that can count at a time. */
const NETWORKS_OF_A_48 = 8;

/** The budget that a visitor uses. The 65,536 networks of a /48 share eight, because one customer often has all of it. */
export function budgetOf(address: string): string {
  const [narrow, , wide] = networksOf(address);
  if (!narrow || !wide) return networkOf(address);
  const [fourth = 0] = (ipaddr.process(address) as ipaddr.IPv6).parts.slice(3);
  return `${wide.block} ${fourth % NETWORKS_OF_A_48}`;
}
