export * from './canary';
export { type Author, addFreeze, isFrozen, MapError } from './map-change';
export * from './page-map';
export * from './promote';
export * from './read-map';
export * from './rollback';
export * from './switches';
