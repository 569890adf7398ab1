'use strict';
/**
 * Stands in a development build before the module of a route, which exports more than components (its loader), so that an edit of it is a
 * refresh as well and not a new document. The component stays the first one, for which React takes the newest: a newer one that is rendered
 * before the refresh has registered it with React is another component to it, and the page would lose its state.
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
  get loader() { return page().loader && ((given) => page().loader?.(given)); },
};
module.hot.accept(${request}, () => globalThis.__PLATFORM_DEV__.refresh.performReactRefresh());
`;
};
