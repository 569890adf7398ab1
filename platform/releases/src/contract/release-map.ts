/**
 * The release map: which release of each name is live. There are two shapes: `ReleaseMap` in the store, and `PageMap`, the part
 * of it that browsers get.
 */
import type { RemoteContract } from './remote-contract';

export const SHELL = 'shell';
/** Pages of the shell, which no remote may claim; '/' leads to the home page. */
export const SHELL_ROUTES = ['/', '/403', '/404'] as const;

export interface FileGroup {
  js: string[];
  css: string[];
}

/** The files of an exposed module, or of a singleton that a shell provides in a separate chunk. */
export interface ExposedFiles extends FileGroup {
  /** Singletons in separate chunks that must load before the module runs. */
  shares?: string[];
}

export interface Singletons {
  /** Share name to the version that this release provides. */
  provides: Record<string, string>;
  /** Share name to the semver range that this release accepts. */
  needs: Record<string, string>;
}

export interface ReleaseFiles {
  /** URL of the release's folder, with a trailing slash. */
  base: string;
  entry: string;
  initial: FileGroup;
  /** Exposed module to the files it needs besides the entry. */
  exposes: Record<string, ExposedFiles>;
  /** File to hash (`sha384-…`), for every script and style. */
  integrity: Record<string, string>;
  /** Global that the entry defines; absent if it is `containerName(name, version)`. */
  container?: string;
}

export interface FallbackRelease extends ReleaseFiles {
  version: string;
  /** Absent if it equals the live release's. */
  remote?: RemoteContract;
}

export interface MapEntryExtras extends ReleaseFiles {
  fallback: FallbackRelease | null;
  singletons: Singletons;
  /** Version of the container interface between shell and remotes. */
  runtime: string;
  remote?: RemoteContract;
}

export interface MapEntry {
  metadata: { version: string };
  /** `traffic` in per cent; the shares of one name sum to 100. Visitors without a number get the default entry. */
  deployment: { traffic: number; default: boolean };
  extras: MapEntryExtras;
}

export type MapAction =
  | 'create'
  | 'promote'
  | 'canary'
  | 'rollback'
  | 'abandon'
  | 'restore'
  | 'freeze'
  | 'unfreeze'
  | 'render-off'
  | 'render-on';

export interface MapChange {
  /** ISO 8601, UTC. */
  at: string;
  by: string;
  action: MapAction;
  /** The release's name, or '*' for the whole map. */
  name: string;
  from: string | null;
  to: string | null;
  why: string;
}

/** When, by whom and why something was turned off. */
export interface TurnedOff {
  at: string;
  by: string;
  why: string;
}

export interface Freeze extends TurnedOff {
  /** One version, or null for every promote of the name. */
  version: string | null;
}

/** The shares that a canary goes through automatically while it is healthy. */
export interface CanaryPlan {
  /** Per cent of the visitors, ascending; the last is 100. */
  steps: number[];
  /** The least time at each step. */
  minutes: number;
}

/** For operators only; never sent to browsers. */
export interface MapOps {
  /** Per name, the versions that were live before the current one, oldest first. */
  trail: Record<string, string[]>;
  since: Record<string, { at: string; by: string; action: MapAction }>;
  frozen: Record<string, Freeze[]>;
  /** Per name, the versions that were rolled back and have not been live again since, oldest first. */
  withdrawn?: Record<string, string[]>;
  /** Per name, the rollback that last changed the live release. Repeating the same rollback changes nothing. */
  rolledBack?: Record<string, { from: string; to: string | null }>;
  /** Names whose documents contain skeletons instead of rendered pages. */
  renderingOff?: Record<string, TurnedOff>;
  /** Running canaries that the watcher raises. */
  plans?: Record<string, CanaryPlan>;
  /** Per name, the role that runs the canary. Absent for work on the store itself, which needs no role. */
  canaryRoles?: Record<string, string>;
}

export interface ReleaseMap {
  /** CHANNEL. Earlier shells build the address of the map with it. */
  channel: string;
  rev: number;
  changed: MapChange;
  microFrontends: Record<string, MapEntry[]>;
  ops: MapOps;
  /** Set only in a document that previews a release which is not live. */
  preview?: { name: string; version: string };
}

/** `base` and `entry`, and the fields that RELEASE_MAP_URL contains and the document leaves out. */
type PageFiles = Pick<ReleaseFiles, 'base' | 'entry'> & Partial<ReleaseFiles>;

export interface PageMapEntry extends Omit<MapEntry, 'extras'> {
  extras: PageFiles & {
    fallback?: (PageFiles & Pick<FallbackRelease, 'version' | 'remote'>) | null;
    remote?: RemoteContract;
  };
}

export interface PageMap extends Pick<ReleaseMap, 'channel' | 'rev' | 'preview'> {
  microFrontends: Record<string, PageMapEntry[]>;
  /** Per name, versions that were rolled back or frozen: an open tab that has run one reloads. Only at RELEASE_MAP_URL. */
  withdrawn?: Record<string, string[]>;
}

/**
 * The entry of one name that a visitor gets. `visitor` is a stable number in [0, 100) that the browser keeps. A canary gets the
 * range below its traffic, so a visitor who has the canary keeps it when its traffic rises. Without a number, the visitor gets
 * the default entry. Undefined outside the share of a first release, because there is no default then.
 */
export function selectEntry<E extends Pick<MapEntry, 'deployment'>>(
  entries: readonly E[] | undefined,
  visitor?: number | null,
): E | undefined {
  const canary = entries?.find(({ deployment }) => !deployment.default);
  if (canary && typeof visitor === 'number' && visitor >= 0 && visitor < canary.deployment.traffic) return canary;
  return entries?.find(({ deployment }) => deployment.default);
}
