import type { RenderRequest } from '@platform/releases';
import type { DocumentLanguage } from '../metadata/languages';

export interface GuestAnswer {
  /** Changes with the answer. */
  tag: string;
  /** As the page's call gets it. */
  envelope: () => unknown;
}

/** `unavailable`: nobody can answer now. `refused`: no call that answers all guests alike. */
export type AnswerOutcome = GuestAnswer | 'unavailable' | 'refused';

/** What the product's API answers guests who read a language; pages are drawn with it. */
export interface GuestAnswers {
  /** Addresses of the calls that the shell makes on every page. */
  shellCalls: readonly string[];
  currencyOf(language: DocumentLanguage): RenderRequest['currency'];
  ask(address: string, language: DocumentLanguage): Promise<AnswerOutcome>;
  /** Of the answer in memory; undefined where the API must be asked. */
  tagOf(address: string, language: DocumentLanguage): string | undefined;
}
