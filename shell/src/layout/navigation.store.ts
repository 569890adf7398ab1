import { makeAutoObservable } from '@shop/shared/state';

/** The progress bar stays this long after a navigation (docs/product.md#navigation). */
const hideProgressAfterMs = 200;
const maxVisited = 50;

/** The progress bar, and the paths that this tab has visited. */
export class NavigationStore {
  progressVisible = false;
  /** Oldest first. */
  visited: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    makeAutoObservable(this, {}, { autoBind: true });
  }

  startProgress(): void {
    clearTimeout(this.#timer);
    this.progressVisible = true;
  }

  endProgress(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hideProgress(), hideProgressAfterMs);
  }

  recordVisit(path: string): void {
    this.visited = [...this.visited, path].slice(-maxVisited);
  }

  private hideProgress(): void {
    this.progressVisible = false;
  }
}
