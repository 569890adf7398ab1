/// <reference lib="webworker" />
/** Shows the pushes of a site, and opens their pages. /sw.js contains it only if the site sends pushes. */
declare const self: ServiceWorkerGlobalScope & typeof globalThis;

interface Pushed {
  title: string;
  body: string;
  path: string;
  tag: string;
  locale: string;
}

self.addEventListener('push', (event) => {
  if (!event.data) return;
  const { title, body, path, tag, locale }: Pushed = event.data.json();
  // A repeated push replaces the first one, by its tag.
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
  // A worker cannot navigate a tab that it does not control.
  const tab = await tabs[0]?.navigate(href).catch(() => null);
  return tab ? tab.focus() : self.clients.openWindow(href);
}

export {};
