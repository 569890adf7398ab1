// Runs once per runtime in a development build and applies the updates of its modules. client.js, which listens to the dev
// server, runs first.
const dev = globalThis.__PLATFORM_DEV__;
const workspace = DEV_NAME;

async function update() {
  // Several edits may have been built meanwhile, and one that could not be applied needs a new document.
  while (dev.built[workspace] && dev.built[workspace] !== __webpack_hash__ && module.hot.status() === 'idle') {
    const updated = await module.hot.check(true).catch((error) => {
      console.warn(`${workspace}: ${error.message}`);
      return null;
    });
    if (!updated) return dev.reload();
  }
}

dev.hot[workspace] = update;
// This code may be newer than the runtime that has loaded it.
void update();
