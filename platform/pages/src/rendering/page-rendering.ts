import {
  hasPassedGate,
  type MapSource,
  type ReleaseMap,
  type ReleaseSet,
  type RenderedPage,
  type RenderRequest,
  type Store,
} from '@platform/releases';
import { ReleaseSets } from './release-sets';
import { IsolatedRenderer, type RendererOptions, type RenderFault } from './renderer';

export class PageRendering {
  readonly renderer: IsolatedRenderer;
  private readonly sets: ReleaseSets;
  private prepared = -1;

  constructor(private readonly options: RendererOptions & { store: Store }) {
    this.renderer = new IsolatedRenderer(options);
    this.sets = new ReleaseSets(options.store);
  }

  /**
   * Resolves to undefined when the skeleton must be sent. `onFault` receives the fault when a release is to blame. Rejects when a
   * server build is damaged.
   */
  async page(
    map: ReleaseMap,
    visitor: number | null,
    request: RenderRequest,
    onFault?: (fault: RenderFault) => void,
    /** The user whose answers these are; undefined for a page that is the same for all visitors. */
    user?: string,
  ): Promise<RenderedPage | undefined> {
    const set = await this.setOf(map, visitor);
    return set && this.renderer.render(set, request, onFault, user);
  }

  /** Starts the processes of the live releases when the map has changed, so that the first visitor need not wait for them. */
  async prepare(source: MapSource): Promise<void> {
    const map = await source.get();
    if (map.rev === this.prepared) return;
    this.prepared = map.rev;
    const set = await this.setOf(map, null);
    if (!set) return;
    const isPublic = (name: string) =>
      set.map.microFrontends[name]?.[0]?.extras.remote?.routes.some(({ flags }) => !flags?.requiresLogin);
    await this.renderer.prepare(set, Object.keys(set.remotes).filter(isPublic));
  }

  async close(): Promise<void> {
    await this.renderer.close();
    await this.sets.close();
  }

  private async setOf(map: ReleaseMap, visitor: number | null): Promise<ReleaseSet | undefined> {
    // A permission is needed to promote the live releases; a preview needs its author only, so it must have passed the gate.
    const { preview } = map;
    if (preview && !(await hasPassedGate(this.options.store, preview.name, preview.version))) return undefined;
    return this.sets.forVisitor(map, visitor);
  }
}
