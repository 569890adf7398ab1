import { join } from 'node:path';

export { type Account, type BrowserGateOptions, browserGate } from './browser-gate';
export { launchBrowser } from './browsers';
export {
  DELAY_HEADER,
  type GateDocument,
  type GateDocuments,
  type GateSiteOptions,
  READ_ONLY_HEADER,
  RENDERED_HEADER,
} from './gate-site';
export { ROUNDS, type Round } from './rounds';

export const PAGE_PROBE = join(__dirname, 'page-probe.ts');
