/** Calls `load` once, at the first use: an unused SDK costs neither start time nor memory. */
export function lazy<T extends object | string>(load: () => T): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
