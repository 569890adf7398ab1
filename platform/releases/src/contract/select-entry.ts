import type { MapEntry } from './release-map';

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
