import type { Settings } from '@shop/server/platform/settings/settings';
import { type Forge, parseForges } from './api/forge-settings';

export interface ReleaseSettings {
  /** Forges whose tokens the release API takes. */
  forges: Forge[];
  /** Refuses to start without what visitors run. */
  mustFit: boolean;
}

export const readReleaseSettings = (settings: Settings): ReleaseSettings => ({
  forges: parseForges(settings),
  // Elsewhere server and pages change together, with the checkout.
  mustFit: settings.production && settings.get('BREAKING_START') !== 'on',
});
