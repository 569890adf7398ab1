/** Only a page of the web: an address from an answer must not run as script. Null for everything else. */
export function webAddress(address: string): string | null {
  try {
    const url = new URL(address, window.location.href);
    return url.protocol === 'https:' || url.origin === window.location.origin ? url.href : null;
  } catch {
    return null;
  }
}

/** Leaves the app for a cashier. An object, so that a test can see it: jsdom does not navigate. */
export const leave = { to: (address: string): void => window.location.assign(address) };
