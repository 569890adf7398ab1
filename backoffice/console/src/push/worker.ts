/**
 * The service worker of the console: shows what the shop pushes to staff, and leads to its place. Its scope is /staff; the shop's own
 * (/sw.js) has the rest of the site, and neither answers requests of the console.
 */

/** As staff-notices.service.ts writes it. */
interface Pushed {
  title: string;
  body: string;
  /** In the console: "/staff#/queue/1". */
  path: string;
  tag: string;
  locale: string;
}
interface Waiting {
  waitUntil(work: Promise<unknown>): void;
}
interface Tab {
  url: string;
  navigate(url: string): Promise<{ focus(): unknown } | null>;
}
/** What is used of its scope: TypeScript's own types of it do not go together with those of a page. */
declare const self: {
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: { matchAll(options: { type: 'window' }): Promise<Tab[]>; openWindow(url: string): Promise<unknown> };
  addEventListener(type: 'push', listener: (event: Waiting & { data: { json(): Pushed } | null }) => void): void;
  addEventListener(
    type: 'notificationclick',
    listener: (event: Waiting & { notification: Notification }) => void,
  ): void;
};

self.addEventListener('push', (event) => {
  if (!event.data) return;
  const { title, body, path, tag, locale }: Pushed = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, lang: locale, icon: '/icon.svg', data: path }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data, self.location.origin)));
});

async function show({ origin, pathname, href }: URL): Promise<unknown> {
  if (origin !== self.location.origin) return;
  const tabs = await self.clients.matchAll({ type: 'window' });
  const tab = tabs.find(({ url }) => new URL(url).pathname === pathname);
  // Its place changes behind the #, so what somebody has begun there stays.
  const shown = await tab?.navigate(href).catch(() => null);
  return shown ? shown.focus() : self.clients.openWindow(href);
}

export {};
