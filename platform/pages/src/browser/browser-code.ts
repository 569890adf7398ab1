import path from 'node:path';
import { browserFiles } from '@platform/build/browser-script';

const source = (file: string) => path.join(__dirname, '..', file);

export const browserCode = browserFiles({
  bootScript: { entry: source('boot/main.ts'), target: 'es5' },
  userScript: { entry: source('boot/user.ts'), target: 'es5' },
  bootStyle: { entry: source('boot/boot.css') },
  offlineScript: { entry: source('offline/connection-check.ts'), target: 'es5' },
  offlineStyle: { entry: source('offline/offline-page.css') },
  serviceWorker: { entry: source('offline/service-worker.ts'), target: 'es2020' },
  serviceWorkerPush: { entry: source('offline/service-worker-push.ts'), target: 'es2020' },
  serviceWorkerOff: { entry: source('offline/service-worker-off.ts'), target: 'es2020' },
});
