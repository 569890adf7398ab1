import { join } from 'node:path';
import { folderBlobs } from './folder-blobs';
import { createStore, type Store } from './store';

export interface StoreOptions {
  /** A folder, or `s3://bucket/prefix`. Default: RELEASE_STORE, then `<dataDir>/store`. */
  place?: string;
  /** Default: DATA_DIR, then `.data`. */
  dataDir?: string;
}

export function openStore({ place, dataDir }: StoreOptions = {}): Store {
  const where = place ?? process.env.RELEASE_STORE ?? join(dataDir ?? process.env.DATA_DIR ?? '.data', 'store');
  if (where.startsWith('s3://')) {
    // Loaded only here: the SDK is heavy, and a folder needs none of it.
    const { s3Blobs } = require('./s3-blobs') as typeof import('./s3-blobs');
    return createStore(s3Blobs(where));
  }
  return createStore(folderBlobs(where));
}
