/** The service worker serves the offline page (docs/adr/0011-service-worker.md). */
const workerUrl = '/sw.js';

interface WorkerPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): WorkerPolicy;
}

function trustedWorkerUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return workerUrl;
  // The CSP allows this policy name only; this policy admits one URL.
  const policy = trustedTypes.createPolicy('releases', {
    createScriptURL: (url) => {
      if (url !== workerUrl) throw new TypeError(`not the service worker: ${url}`);
      return url;
    },
  });
  return policy.createScriptURL(workerUrl) as string;
}

/** Never rejects: without the worker only the offline page is missing. */
export async function registerServiceWorker(): Promise<void> {
  try {
    await navigator.serviceWorker?.register(trustedWorkerUrl(), { updateViaCache: 'none' });
  } catch (error) {
    console.warn('the service worker could not be registered', error);
  }
}
