/// <reference lib="webworker" />
/** Removes the service worker and its caches from every device that requests it again (SERVICE_WORKER=off). */
import { CACHE_PREFIX } from './offline-cache';

declare const self: ServiceWorkerGlobalScope & typeof globalThis;

self.addEventListener('install', () => {
  self.skipWaiting();
});

self.addEventListener('activate', (event) => event.waitUntil(removeEverything()));

async function removeEverything(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(CACHE_PREFIX)).map((name) => caches.delete(name)));
  await self.registration.unregister();
}
