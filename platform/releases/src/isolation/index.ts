import type { ReleaseManifest } from '../manifest';
import type { Finding } from './finding';
import { findGlobalChanges } from './scripts';
import { findGlobalStyles } from './styles';

export type { Finding } from './finding';

/** What a file of a remote does beyond its own pages: styles that match elsewhere, changes to what all remotes share. */
export function isolationFindings(
  { name, version, container }: Pick<ReleaseManifest, 'name' | 'version' | 'container'>,
  file: string,
  content: string,
): Finding[] {
  if (file.endsWith('.css')) return findGlobalStyles(content, name);
  if (!file.endsWith('.js')) return [];
  // `uniqueName` in rspack.base.js
  const own = `mfe_${name}_${version.replace(/[^a-zA-Z0-9]/g, '_')}`;
  return findGlobalChanges(content, { remote: name, container: container ?? own });
}
