import { isFrozen, type Publication, previewInMap, type ReleaseMap, type Store } from '@platform/releases';
import type { PreviewRefusal } from './document-html';

/** `?release=catalog@1.4.0-3f9c2ab1` asks for a published release in this document. Null for any other value. */
export async function previewOf(store: Store, live: ReleaseMap, wanted: unknown) {
  const [, name, version] = /^(?:mfe-)?([a-z][a-z0-9-]*)@(.+)$/.exec(typeof wanted === 'string' ? wanted : '') ?? [];
  if (!name || !version) return null;
  const manifest = await store.readManifest(name, version);
  if (manifest?.name !== name || manifest.version !== version) return null;
  const publication = await store.publication(name, version);
  // The files are stored before the record, which says where the release may be shown.
  if (!publication) return null;
  return {
    release: `${name}@${version}`,
    map: previewInMap(live, manifest, null),
    refusal: refusalOf(live, publication),
  };
}

/** Why a release is not shown to whoever has its address. A version that was live once is public, also after it was taken back. */
function refusalOf(
  live: ReleaseMap,
  { name, version, channels }: Pick<Publication, 'name' | 'version' | 'channels'>,
): PreviewRefusal | null {
  if (isFrozen(live, name, version)) return 'frozen';
  if (live.ops.withdrawn?.[name]?.includes(version)) return 'withdrawn';
  return channels !== undefined && !channels.includes(live.channel) ? 'channel' : null;
}
