export { Breaker } from './breaker';
export { PageRendering } from './page-rendering';
export type { RenderFault } from './renderer';
