import { holdDocument } from './hold-document';

/** Accepts web pages only: an address from an answer must not run as script. Null for everything else. */
export function webAddress(address: string): string | null {
  try {
    const url = new URL(address, window.location.href);
    return url.protocol === 'https:' || url.origin === window.location.origin ? url.href : null;
  } catch {
    return null;
  }
}

/**
 * Leaves the app for a cashier; never resolves, so that the button stays busy until the page has gone. An object, because jsdom
 * cannot navigate.
 */
export const leave = {
  to: (address: string): Promise<never> => {
    const release = holdDocument();
    // The back/forward cache may show this page again, as it was left.
    window.addEventListener('pageshow', release, { once: true });
    window.location.assign(address);
    return new Promise(() => {});
  },
};
