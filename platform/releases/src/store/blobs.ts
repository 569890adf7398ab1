/**
 * A back end of the store. Keys are relative paths with forward slashes. Every write is whole or absent: a reader never sees half a blob.
 */
export interface Blobs {
  /** For messages: 'folder .data/store', 's3://bucket/prefix'. */
  readonly place: string;
  /** Milliseconds for which a server may use a map before it reads the store again; 0 if a read costs almost nothing. */
  readonly readAgainMs: number;
  get(key: string): Promise<Buffer | null>;
  put(key: string, content: Buffer): Promise<void>;
  /** Writes only if the key is free, atomically across processes. Resolves to false if it is not. */
  putNew(key: string, content: Buffer): Promise<boolean>;
  /**
   * Writes many blobs under a prefix such that `marker` appears last: once it can be read, all the others can. Resolves to false
   * if the marker exists already.
   */
  putAll(prefix: string, files: ReadonlyMap<string, Buffer>, marker: string): Promise<boolean>;
  /** Names directly under a prefix that ends with '/', folders without their slash, in no order. */
  list(prefix: string): Promise<string[]>;
  /** Removes everything under a prefix, if there is anything. */
  removeAll(prefix: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** Clears what crashed writers left behind. */
  sweep(): Promise<void>;
  /** Changes if the blob may have changed; null if it is absent. Cheap enough for every request. */
  stamp(key: string): Promise<string | null>;
  /** Synchronous `stamp`, for back ends where it takes microseconds and a promise takes longer. */
  stampNow?(key: string): string | null;
}

export class StoreError extends Error {
  override name = 'StoreError';
}
