/** Something in a file of a remote that reaches beyond its own pages. */
export interface Finding {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
  what: string;
}
