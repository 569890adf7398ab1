/** Their list is written by list-test-files.cjs when the workshop is built. */
export interface TestFile {
  /** 'mfe-orders/list/order-list-page' */
  id: string;
  load: () => Promise<unknown>;
}

export const testFiles: TestFile[] = [];
/** Of the remotes, for links to their pages. */
export const routes: Array<{ page: string; path: string }> = [];
