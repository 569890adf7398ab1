/** Registers the worker that keeps the offline page (docs/adr/0007-service-worker.md). */

const address = '/sw.js';

interface WorkerPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): WorkerPolicy;
}

function trustedAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return address;
  // The page's policy names the loader's policy; this one of the same name lets through a single address.
  const policy = trustedTypes.createPolicy('shop-loader', {
    createScriptURL: (url) => {
      if (url !== address) throw new TypeError(`not the service worker: ${url}`);
      return url;
    },
  });
  return policy.createScriptURL(address) as string;
}

/** Never rejects: without a worker the shop only lacks its offline page. */
export async function registerServiceWorker(): Promise<void> {
  try {
    await navigator.serviceWorker?.register(trustedAddress(), { updateViaCache: 'none' });
  } catch (error) {
    console.warn('the service worker could not be registered', error);
  }
}
