export { type DocumentOptions, documentPlugin } from './document.plugin';
export type { AnswerOutcome, GuestAnswers } from './guest-answers';
export type { Person } from './personal-pages';
export { compressWell, prepareResponse, sendPrepared } from './prepared-response';
export { type ListedPage, searchEngines } from './search-engines.plugin';
