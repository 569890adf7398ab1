export * from './server-builds';
export { takeIsolationAway } from './without-isolation';
