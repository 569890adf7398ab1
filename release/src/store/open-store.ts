import { join } from 'node:path';
import { folderBlobs } from './folder-blobs';
import { createStore, type Store, StoreError } from './store';

export interface StoreOptions {
  /** A folder, or `s3://bucket/prefix`. Default: RELEASE_STORE, then `<dataDir>/store`. */
  place?: string;
  /** Default: DATA_DIR, then `.data`. */
  dataDir?: string;
}

export function openStore({ place, dataDir }: StoreOptions = {}): Store {
  const where = place ?? process.env.RELEASE_STORE ?? join(dataDir ?? process.env.DATA_DIR ?? '.data', 'store');
  if (where.startsWith('s3://')) throw new StoreError('the S3 store is not available in this build; use a folder');
  return createStore(folderBlobs(where));
}
