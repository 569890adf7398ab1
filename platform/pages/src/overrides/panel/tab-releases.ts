import { type PageMap, SHELL, selectEntry } from '@platform/releases/contract';
import type { PanelState } from '../panel-state';
import type { TraceStep } from './loading-trace';

/** 'earlier': it was live when this tab took it, and is not any more. */
export type ReleaseOrigin = 'live' | 'canary' | 'preview' | 'fallback' | 'own-machine' | 'earlier';

export interface TabRelease {
  name: string;
  version: string;
  origin: ReleaseOrigin;
  /** Its code has been asked for; otherwise this is what the map would give. */
  isLoaded: boolean;
}

/** As dev servers name their builds. */
const ofDevServer = /^0\.0\.0-dev/;

export const hasOwnMachine = ({ microFrontends }: PageMap): boolean =>
  Object.values(microFrontends).some((entries) => entries.some(({ metadata }) => ofDevServer.test(metadata.version)));

/** Which release of each name this tab has, and where it came from. Without `now`, by what the document says. */
export function tabReleases(
  map: PageMap,
  visitor: number | null,
  steps: readonly TraceStep[],
  now: PanelState | null,
): TabRelease[] {
  const isFirst = (name: string) => (name === SHELL ? 0 : 1);
  const names = Object.keys(map.microFrontends).sort((a, b) => isFirst(a) - isFirst(b) || (a < b ? -1 : 1));
  return names.flatMap((name) => {
    const given = selectEntry(map.microFrontends[name], visitor);
    const loaded = steps.findLast((step) => step.step === 'entry' && step.name === name)?.version;
    const version = loaded ?? given?.metadata.version;
    if (!version) return [];
    const originOf = (): ReleaseOrigin => {
      if (ofDevServer.test(version)) return 'own-machine';
      if (map.preview?.name === name && map.preview.version === version) return 'preview';
      const known = now?.releases.find((one) => one.name === name);
      if (known?.live?.version === version) return 'live';
      if (given && version !== given.metadata.version && version === given.extras.previous) return 'fallback';
      if (known) return known.canary?.version === version ? 'canary' : 'earlier';
      return given?.deployment.default === false ? 'canary' : 'live';
    };
    return [{ name, version, origin: originOf(), isLoaded: loaded !== undefined }];
  });
}
