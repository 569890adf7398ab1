/** What the browser does for pushes, by a service worker of the console's own. */
import type { PushSubscriptionBody } from '@shop/backoffice/wire';

const WORKER_URL = '/staff/worker.js';
const SCOPE = '/staff';

export type PushSupport = 'ready' | 'none' | 'blocked';

/** iPhones offer it to a page on the home screen only. */
export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'none';
  return Notification.permission === 'denied' ? 'blocked' : 'ready';
}

interface WorkerPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): WorkerPolicy;
}

let policy: WorkerPolicy | undefined;

/** The page's security policy allows one Trusted Types policy, of this name, once; whatever it is given, it has this one address. */
function trustedWorkerUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('staff-worker', { createScriptURL: () => WORKER_URL });
  return (policy?.createScriptURL(WORKER_URL) ?? WORKER_URL) as string;
}

/** Asks the person, by the browser's own question; null when they refuse. Rejects where the browser reaches no push service. */
export async function subscribeBrowser(key: string): Promise<PushSubscriptionBody | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const options = { scope: SCOPE, updateViaCache: 'none' } as const;
  const registration = await navigator.serviceWorker.register(trustedWorkerUrl(), options);
  await activated(registration);
  const { pushManager } = registration;
  // One for an earlier key of the shop gets nothing any more.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' };
}

/** `navigator.serviceWorker.ready` may be the shop's own worker. */
function activated({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const coming = installing ?? waiting;
  if (active || !coming) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const look = () => {
      if (coming.state === 'activated') resolve();
      else if (coming.state === 'redundant') reject(new Error('the service worker was not installed'));
    };
    coming.addEventListener('statechange', look);
    look();
  });
}

/** Ends the subscription of the console in this browser, with its worker; the shop's are not touched. */
export async function forgetBrowser(): Promise<void> {
  const found = await navigator.serviceWorker?.getRegistration(SCOPE);
  // Where the console has none, that is the shop's.
  if (found && new URL(found.scope).pathname === SCOPE) await found.unregister();
}
