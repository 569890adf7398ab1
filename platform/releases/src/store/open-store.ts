import { join } from 'node:path';
import { folderBlobs } from './folder-blobs';
import { createStore, type Store } from './store';

/** `place`: a folder, or `s3://bucket/prefix`. In a data folder the store is `<dataDir>/store`. */
export type StoreOptions = { place: string } | { dataDir: string };

export function openStore(options: StoreOptions): Store {
  const place = 'place' in options ? options.place : join(options.dataDir, 'store');
  if (place.startsWith('s3://')) {
    // Loaded on demand: the SDK is heavy, and a folder does not need it.
    const { s3Blobs } = require('./s3-blobs') as typeof import('./s3-blobs');
    return createStore(s3Blobs(place));
  }
  return createStore(folderBlobs(place));
}
