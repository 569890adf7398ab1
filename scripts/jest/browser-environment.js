/** jsdom plus the parts of the web platform that it lacks and Node has; React Router's data routers need them. */
const { TestEnvironment } = require('jest-environment-jsdom');

module.exports = class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of [
      'TextEncoder',
      'TextDecoder',
      'Request',
      'Response',
      'Headers',
      'fetch',
      'ReadableStream',
      'TransformStream',
      'structuredClone',
    ]) {
      if (this.global[name] === undefined) this.global[name] = globalThis[name];
    }
    // jsdom's AbortSignal is not the one that Node's Request accepts.
    this.global.AbortController = globalThis.AbortController;
    this.global.AbortSignal = globalThis.AbortSignal;
    if (!this.global.crypto?.getRandomValues) this.global.crypto = globalThis.crypto;
  }
};
