export { Breaker } from './breaker';
export { PageRendering, type PageRenderingOptions } from './page-rendering';
export type { RenderFault } from './renderer';
