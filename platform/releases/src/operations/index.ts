/** Operations of squads and operators. The command line, /ops and the watcher all use these functions. */

export * from './advance-canary';
export { type Change, type ChangeOptions, changeMap } from './change-map';
export * from './check-release';
export * from './freeze';
export * from './gated';
export * from './history';
export * from './place-in-source';
export * from './promote';
export * from './promote-together';
export * from './prune';
export * from './releases';
export * from './rendering';
export * from './rollback';
export * from './run-action';
export * from './status';
export * from './verify';
export { WORSE } from './worse';
