/** Operations of squads and operators. The command line, /ops and the watcher all use these functions. */

export { type Change, type ChangeOptions, changeMap } from './change-map';
export * from './check-release';
export * from './place-in-source';
export * from './promote';
export * from './prune';
export * from './rollback';
export * from './run-action';
export * from './status';
export * from './verify';
