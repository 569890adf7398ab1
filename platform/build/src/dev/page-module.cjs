'use strict';
/**
 * Wraps the module of a route in a development build. The module exports more than components (its loader), so without the wrapper an edit
 * would reload the document instead of a refresh. The component stays the first one, for which React uses the newest: a newer one that is
 * rendered before the refresh has registered it is a different component for React, and the page would lose its state.
 */
/** @this {import('@rspack/core').LoaderContext} */
module.exports = function pageModule() {
  const request = JSON.stringify(this.utils.contextify(this.context ?? '', this.resourcePath));
  return `
require(${JSON.stringify(require.resolve('./hot-client.js'))});
const page = () => require(${request});
let Component;
module.exports = {
  get Component() { return (Component ??= page().Component); },
  get ErrorBoundary() { return page().ErrorBoundary; },
  get loader() { return page().loader && ((args) => page().loader?.(args)); },
};
module.hot.accept(${request}, () => globalThis.__PLATFORM_DEV__.refresh.performReactRefresh());
`;
};
