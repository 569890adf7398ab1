/**
 * Loads the builds of releases once for each isolate that the server names, and forwards requests of the server to it
 * (docs/adr/0007-server-side-rendering.md). It runs none of their code itself.
 */
export default {
  async fetch(request, { LOADER, SETTINGS, ...files }) {
    const isolate = LOADER.get(request.headers.get('isolate'), () => ({
      ...SETTINGS,
      modules: Object.fromEntries(Object.entries(files).map(moduleOf)),
      env: {},
      globalOutbound: null,
    }));
    return isolate.getEntrypoint().fetch(request);
  },
};

function moduleOf([name, text]) {
  if (name.endsWith('.mjs')) return [name, { js: text }];
  return [name, name.endsWith('.json') ? { json: JSON.parse(text) } : { cjs: text }];
}
