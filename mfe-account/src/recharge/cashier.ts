/** The cashier of this shop, and nothing else: an address from an answer never sends the shopper elsewhere. */
export function isCashierAddress(address: string, origin: string): boolean {
  try {
    const url = new URL(address, origin);
    return url.origin === origin && url.pathname.startsWith('/cashier/');
  } catch {
    return false;
  }
}

/** Leaves the app for the cashier. An object, so that a test can see it: jsdom does not navigate. */
export const cashier = { open: (address: string): void => window.location.assign(address) };
