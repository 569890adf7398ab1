import { type ReleaseMap, SHELL, selectEntry } from '@platform/releases';

/** `map` with development servers in place of live releases. Their files and hashes are not known. */
export function withDevOrigins(map: ReleaseMap, devOrigins: Record<string, string>): ReleaseMap {
  const copy = structuredClone(map);
  for (const [name, origin] of Object.entries(devOrigins)) {
    const live = selectEntry(copy.microFrontends[name]) ?? copy.microFrontends[name]?.[0];
    if (!live) continue;
    const base = `${origin.replace(/\/$/, '')}/`;
    const entry = name === SHELL ? 'main.js' : 'remoteEntry.js';
    const files = { base, entry, initial: { js: [entry], css: [] }, exposes: {}, integrity: {} };
    copy.microFrontends[name] = [
      {
        url: base + entry,
        metadata: { version: `dev-${live.metadata.version}`, integrity: '' },
        deployment: { traffic: 100, default: true },
        extras: { ...live.extras, ...files, previous: null, fallback: null },
      },
    ];
  }
  return copy;
}
