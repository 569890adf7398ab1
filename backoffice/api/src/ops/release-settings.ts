import type { Settings } from '@shop/server/platform/settings/settings';
import { type Forge, parseForges } from './api/forge-settings';

export interface ReleaseSettings {
  /** Forges whose tokens the release API takes. */
  forges: Forge[];
}

export const readReleaseSettings = (settings: Settings): ReleaseSettings => ({
  forges: parseForges(settings),
});
