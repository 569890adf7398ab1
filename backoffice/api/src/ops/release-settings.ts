import type { Settings } from '@shop/server/platform/settings/settings';
import { type Forge, parseForges } from './api/forge-settings';

export interface ReleaseSettings {
  forges: Forge[];
}

export const readReleaseSettings = (settings: Settings): ReleaseSettings => ({
  forges: parseForges(settings),
});
