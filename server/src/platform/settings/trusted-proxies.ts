import { isIP } from 'node:net';
import type { Settings } from './settings';

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
/** The widest ranges that have one owner: 10.0.0.0/8 and fc00::/7. */
const WIDEST_RANGE = { 4: 8, 6: 7 };

function isProxy(entry: string): boolean {
  const [, address = '', , prefix] = /^([\da-f.:]+)(\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address) as 0 | 4 | 6;
  if (!family) return NAMED_RANGES.includes(entry);
  if (prefix === undefined) return true;
  const isMapped = family === 6 && /^[0:]*:ffff:/.test(address);
  return !isMapped && Number(prefix) >= WIDEST_RANGE[family] && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** Addresses and ranges of the trusted proxies, as Fastify reads them; false uses the address of the connection. */
export function readTrustedProxies(settings: Settings): false | string[] {
  const text = settings.get('TRUST_PROXY').toLowerCase();
  if (!text) return false;
  const entries = text.split(/\s*,\s*|\s+/);
  const faulty = entries.find((entry) => !isProxy(entry));
  if (faulty !== undefined)
    settings.problem(
      `TRUST_PROXY: "${faulty}" is not a proxy’s address. Write addresses, ranges up to a /8, or ${NAMED_RANGES.join(', ')}, separated by commas; a number of proxies, "true" or all addresses would let a client choose its own address.`,
    );
  return entries;
}
