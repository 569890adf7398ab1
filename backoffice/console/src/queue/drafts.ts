/** Notes that are not sent, by the number of their order: one that was left, put back or not taken loses none. */
export class Drafts {
  readonly #notes = new Map<string, string>();
  /** The order whose note gets the focus once it is there: somebody has just taken it. */
  toFocus: string | undefined;

  noteOf(orderNo: string): string {
    return this.#notes.get(orderNo) ?? '';
  }

  keep(orderNo: string, note: string): void {
    this.#notes.set(orderNo, note);
  }

  forget(orderNo: string): void {
    this.#notes.delete(orderNo);
  }
}
