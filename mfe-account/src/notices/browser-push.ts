import type { PushSubscriptionBody } from '@shop/server/wire';

/** iPhones offer push only to a shop on the home screen. */
export function pushSupport(): 'ready' | 'none' | 'blocked' {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'none';
  return Notification.permission === 'denied' ? 'blocked' : 'ready';
}

/** Asks for the browser's permission; null when the user refuses. Rejects when the browser reaches no push service. */
export async function subscribeBrowser(key: string): Promise<PushSubscriptionBody | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription for an earlier key of the shop receives nothing any more.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' };
}

export async function unsubscribeBrowser(): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
}
