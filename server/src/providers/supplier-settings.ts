import { stockTypes } from '@shop/shared/domain/lists';
import type { Settings } from '../platform/settings/settings';

export interface GatewaySettings {
  name: string;
  url: string;
  key: string;
}

/** By stock type. */
export type SupplierSettings = Record<string, 'sandbox' | GatewaySettings>;

export const suppliedStockTypes = stockTypes.filter((stockType) => stockType !== 'stock');

/** SUPPLIERS="91=sandbox,fulu=north" maps stock types to suppliers; SUPPLIER_NORTH_URL and _KEY configure "north". */
export function readSuppliers(settings: Settings): SupplierSettings {
  const setting = settings.get('SUPPLIERS');
  if (!setting)
    return settings.production ? {} : Object.fromEntries(suppliedStockTypes.map((stockType) => [stockType, 'sandbox']));
  const chosen: SupplierSettings = {};
  for (const pair of setting.split(',')) {
    const [stockType = '', name = ''] = pair.split('=').map((part) => part.trim());
    if (!(suppliedStockTypes as readonly string[]).includes(stockType)) {
      settings.problem(`SUPPLIERS: ${stockType || 'an empty stock type'} is none of ${suppliedStockTypes.join(', ')}.`);
    } else if (!/^[a-z][a-z0-9]{0,30}$/.test(name)) {
      settings.problem(`SUPPLIERS: ${stockType} needs a supplier’s name in lower case.`);
    } else if (name === 'sandbox') {
      settings.noSandbox(`SUPPLIERS (${stockType})`);
      chosen[stockType] = 'sandbox';
    } else {
      chosen[stockType] = { name, ...settings.supplier(name) };
    }
  }
  return chosen;
}
