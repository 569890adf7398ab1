/** A random key such as `coupon-3f9c2ab1`. */
export const newKey = (kind: string): string =>
  `${kind}-${[...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
