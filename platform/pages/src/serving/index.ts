export { documentPlugin } from './document.plugin';
export { preferencesOf } from './document-request';
export type { DocumentOptions, SentPage } from './document-responses';
export { prepareResponse, sendPrepared } from './prepared-response';
export type { AnswerOutcome, Guest, User } from './rendered-pages';
export { type ListedPage, searchEngines } from './search-engines.plugin';
