import { folderBlobs } from './folder-blobs';
import { createStore, type Store } from './store';

export interface StoreOptions {
  /** A folder, or `s3://bucket/prefix`. */
  place: string;
}

export function openStore({ place }: StoreOptions): Store {
  if (place.startsWith('s3://')) {
    // Loaded only here: the SDK is heavy, and a folder needs none of it.
    const { s3Blobs } = require('./s3-blobs') as typeof import('./s3-blobs');
    return createStore(s3Blobs(place));
  }
  return createStore(folderBlobs(place));
}
