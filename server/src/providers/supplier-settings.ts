import { isWeakSecret, weakSecret } from '../platform/crypto/secret-strength';
import type { EnvReader } from './env-reader';

export interface GatewaySettings {
  name: string;
  url: string;
  key: string;
}

/** By stock type. */
export type SupplierSettings = Record<string, 'sandbox' | GatewaySettings>;

/** Stock types (docs/product.md#enumerations); `stock` is the shop's own. */
const suppliedStockTypes = ['91', 'bamboo', 'ezpaypin', 'fulu', 'transport', 'carrypin', 'kkxi'] as const;

/** SUPPLIERS="91=sandbox,fulu=north": stock type to supplier; SUPPLIER_NORTH_URL and _KEY say where "north" is. */
export function readSuppliers(read: EnvReader): SupplierSettings {
  const wish = read.text('SUPPLIERS');
  if (!wish)
    return read.production ? {} : Object.fromEntries(suppliedStockTypes.map((stockType) => [stockType, 'sandbox']));
  const gateways = new Map<string, GatewaySettings>();
  const chosen: SupplierSettings = {};
  for (const pair of wish.split(',')) {
    const [stockType = '', name = ''] = pair.split('=').map((one) => one.trim());
    if (!(suppliedStockTypes as readonly string[]).includes(stockType)) {
      read.problems.push(
        `SUPPLIERS: ${stockType || 'an empty stock type'} is none of ${suppliedStockTypes.join(', ')}.`,
      );
    } else if (!/^[a-z][a-z0-9]{0,30}$/.test(name)) {
      read.problems.push(`SUPPLIERS: ${stockType} needs a supplier’s name in small letters.`);
    } else if (name === 'sandbox') {
      read.noSandbox(`SUPPLIERS (${stockType})`);
      chosen[stockType] = 'sandbox';
    } else {
      const known = gateways.get(name) ?? gateway(read, name);
      gateways.set(name, known);
      chosen[stockType] = known;
    }
  }
  return chosen;
}

function gateway(read: EnvReader, name: string): GatewaySettings {
  const variable = `SUPPLIER_${name.toUpperCase()}`;
  const because = `SUPPLIERS names ${name}`;
  read.need(`${variable}_URL`, because);
  const key = read.need(`${variable}_KEY`, because, /^\S{32,}$/, 'must be at least 32 characters long');
  if (read.production && key.length >= 32 && isWeakSecret(key)) read.problems.push(weakSecret(`${variable}_KEY`));
  return { name, url: read.address(`${variable}_URL`, ''), key };
}
