export { Breaker } from './breaker';
export { PageRendering, type PageRenderingOptions } from './page-rendering';
export type { RenderCounts } from './render-statistics';
export type { RenderFault } from './renderer';
