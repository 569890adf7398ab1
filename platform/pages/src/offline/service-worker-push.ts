/// <reference lib="webworker" />
/** Shows what a site pushes, and leads to its place. Part of /sw.js only where the site sends pushes. */
declare const self: ServiceWorkerGlobalScope & typeof globalThis;

interface Pushed {
  title: string;
  body: string;
  /** Path on this site. */
  path: string;
  tag: string;
  locale: string;
}

self.addEventListener('push', (event) => {
  if (!event.data) return;
  const { title, body, path, tag, locale }: Pushed = event.data.json();
  // A repetition replaces the first one, by its tag.
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, lang: locale, icon: '/icon.svg', data: path }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(new URL(event.notification.data, self.location.origin)));
});

async function show({ origin, href }: URL): Promise<unknown> {
  if (origin !== self.location.origin) return;
  const tabs = await self.clients.matchAll({ type: 'window' });
  // A tab that this worker does not control cannot be led elsewhere.
  const tab = await tabs[0]?.navigate(href).catch(() => null);
  return tab ? tab.focus() : self.clients.openWindow(href);
}

export {};
