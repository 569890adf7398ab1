export { type DocumentOptions, documentPlugin, type SentPage } from './document.plugin';
export { preferencesOf } from './document-request';
export { compressWell, prepareResponse, sendPrepared } from './prepared-response';
export type { AnswerOutcome, GuestAnswers, Person } from './rendered-pages';
export { type ListedPage, searchEngines } from './search-engines.plugin';
