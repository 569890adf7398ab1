export class StoreError extends Error {
  override name = 'StoreError';
}
