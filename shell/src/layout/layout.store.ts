import { makeAutoObservable } from '@shop/shared/state';

/** Specification, section 2: the loading state is hidden 200 ms after a navigation. */
const progressTailMs = 200;

/** What the layout shows for the moment: drawer and progress bar. */
export class LayoutStore {
  drawerVisible = false;
  progressVisible = false;
  visited: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    makeAutoObservable<this, 'timer'>(this, { timer: false }, { autoBind: true });
  }

  openDrawer(): void {
    this.drawerVisible = true;
  }

  hideDrawer(): void {
    this.drawerVisible = false;
  }

  startProgress(): void {
    clearTimeout(this.timer);
    this.progressVisible = true;
  }

  endProgress(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.hideProgress(), progressTailMs);
  }

  private hideProgress(): void {
    this.progressVisible = false;
  }

  /** The visited routes of this tab, the last fifty. */
  recordVisit(path: string): void {
    this.visited = [...this.visited.slice(-49), path];
  }
}
