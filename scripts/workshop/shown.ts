import type { Language } from '@shop/shared/domain';

/** Loading and error are the page of a test with other answers of the network. */
export type Answers = 'given' | 'none' | 'failures';

export interface View {
  language: Language;
  theme: 'light' | 'dark';
  answers: Answers;
}

/** What this document shows: a page, or a part of one, and how many calls were made for it. */
export const current = {
  view: { language: 'zh-CN', theme: 'light', answers: 'given' } as View,
  isPage: false,
  calls: 0,
};

/** A frame tells the workshop that it has drawn. */
export interface Report {
  /** The query of its address. */
  of: string;
  isPage: boolean;
  calls: number;
}

/** Ends a test where it has drawn something, before it presses anything. */
export class Shown extends Error {}
