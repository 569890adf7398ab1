/** Loaded three seconds after the load event (main.tsx). */
export { startPrefetching } from './prefetch';
export { registerServiceWorker } from './service-worker';
