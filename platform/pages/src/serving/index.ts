export { type DocumentOptions, documentPlugin, type SentPage } from './document.plugin';
export type { AnswerOutcome, GuestAnswers } from './guest-answers';
export type { Person } from './personal-pages';
export { preferencesOf } from './preferences';
export { compressWell, prepareResponse, sendPrepared } from './prepared-response';
export { type ListedPage, searchEngines } from './search-engines.plugin';
