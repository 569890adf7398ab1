/**
 * What else has changed than a release, named by the product: a server of another version, its prices. A mark stands in the charts of
 * what visits reach, and a fall right after it is told with its name.
 */
export interface Mark {
  id: string;
  /** ISO 8601, by the store's clock. */
  at: string;
  /** A word of the product's, such as 'prices.edit'. */
  kind: string;
  subject: string;
  by: string;
  /** How many things at once. */
  count: number;
}

/** Those of the last so many minutes by the store's clock, newest first. */
export type ReadMarks = (minutes: number) => Promise<Mark[]>;

/** "prices.edit spring and 3 more by ann (staff) at 2026-11-24T14:03:00Z" */
export const markText = ({ kind, subject, count, by, at }: Mark): string =>
  [`${kind} ${subject}`, count > 1 && `and ${count - 1} more`, by && `by ${by}`, `at ${at}`].filter(Boolean).join(' ');
