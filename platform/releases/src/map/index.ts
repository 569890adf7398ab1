export * from './canary';
export * from './freeze';
export { type Author, addFreeze, isFrozen, MapError, type MapErrorCode } from './map-change';
export * from './page-map';
export * from './promote';
export * from './read-map';
export * from './rendering';
export * from './rollback';
