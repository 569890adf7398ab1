import { preload } from '@shop/shared/query';
import { fetchGoodsInfo, goodsInfoKey } from './catalogue.api';

interface NetworkInformation {
  saveData?: boolean;
  effectiveType?: string;
}

/** Nothing is fetched ahead for a shopper who saves data or is on a slow line. */
export function isGoodNetwork(): boolean {
  if (typeof navigator === 'undefined' || navigator.onLine === false) return false;
  const connection = (navigator as Navigator & { connection?: NetworkInformation }).connection;
  if (!connection) return true;
  return connection.saveData !== true && !/2g$/.test(connection.effectiveType ?? '');
}

const goodsAddress = /^\/goods\/(\d+)(?:\?|$)/;

/** Called when a finger or a pointer comes to a link: the product's data is on its way before the press ends. */
export function prefetchAddress(address: string): void {
  const id = goodsAddress.exec(address)?.[1];
  if (id && isGoodNetwork()) preload(goodsInfoKey(Number(id)), () => fetchGoodsInfo(Number(id)));
}
