export { collect } from './collect';
export type { Tally } from './confidence';
export { countReport } from './count-report';
export { HealthCounts, type Reporter } from './health-counts';
export { type HealthEvent, type HealthKind, REFUSED, type VisitContext } from './health-event';
export * from './health-store';
export {
  type HealthView,
  healthReport,
  type ReleaseError,
  type ReleaseHealth,
  type ReleaseReport,
  readHealth,
  type WatchState,
} from './health-view';
export { LIMIT_WITHOUT_BASELINE } from './judge';
export { judgeSteps, type Reach, type Reaches, type StepSample, type StepVerdict } from './judge-steps';
export { NetworkBudget } from './network-budget';
export * from './release-event';
export * from './release-events';
export { releasesOf, trafficOf } from './release-metrics';
export { ARRIVAL, countSteps, type KnownVisit, type NotedVisit } from './step-counts';
export { VisitSteps } from './visit-steps';
export { TOKEN_VALID_FOR, type Visit, type VisitPage, VisitTokens } from './visit-token';
export { vitalText } from './vitals';
export { type Action, Watcher, type WatcherOptions } from './watcher';
