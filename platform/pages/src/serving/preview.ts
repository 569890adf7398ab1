import { isFrozen, previewInMap, type ReleaseMap, type Store } from '@platform/releases';
import type { PreviewRefusal } from '../compose/document-html';

/** `?release=catalog@1.4.0-3f9c2ab1` asks for a published release in this document. Null for any other value. */
export async function previewOf(store: Store, live: ReleaseMap, wanted: unknown) {
  const [, name, version] = /^(?:mfe-)?([a-z][a-z0-9-]*)@(.+)$/.exec(typeof wanted === 'string' ? wanted : '') ?? [];
  if (!name || !version) return null;
  const manifest = await store.readManifest(name, version);
  if (manifest?.name !== name || manifest.version !== version) return null;
  const release = `${name}@${version}`;
  const { channels } = (await store.publication(name, version)) ?? {};
  const isElsewhere = channels !== undefined && !channels.includes(live.channel);
  const refusal: PreviewRefusal | null = isFrozen(live, name, version) ? 'frozen' : isElsewhere ? 'channel' : null;
  return { release, map: previewInMap(live, manifest, null), refusal };
}
