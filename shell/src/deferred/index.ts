/** What a first visit must not wait for; loaded when the page has been quiet for a while (shell/src/main.tsx). */
export { startPrefetching } from './prefetch';
export { registerServiceWorker } from './service-worker';
