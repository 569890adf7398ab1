import type { Store } from '@platform/releases';

const FOLDER = 'ops/ended/';

/** Sessions of /ops that were signed out, in the release store, so that every server knows them also without a database. */
export class EndedSessions {
  private readonly ended = new Set<string>();
  private readonly asked = new Map<string, number>();

  constructor(
    private readonly blobs: Store['blobs'],
    private readonly now: () => number,
  ) {}

  async has(id: string): Promise<boolean> {
    if (this.ended.has(id)) return true;
    if (this.now() - (this.asked.get(id) ?? Number.NEGATIVE_INFINITY) < this.blobs.readAgainMs) return false;
    const isEnded = await this.blobs.has(`${FOLDER}${id}`);
    if (isEnded) this.ended.add(id);
    else this.asked.set(id, this.now());
    return isEnded;
  }

  /** `id` begins with the second in which the session ends by itself; what has ended so is forgotten. */
  async add(id: string): Promise<void> {
    await this.blobs.put(`${FOLDER}${id}`, Buffer.alloc(0));
    this.ended.add(id);
    this.asked.clear();
    // The session has ended already; what is left over goes with the next one.
    await this.cleanUp().catch(() => {});
  }

  private async cleanUp(): Promise<void> {
    for (const old of await this.blobs.list(FOLDER))
      if (Number.parseInt(old, 10) * 1000 < this.now()) await this.blobs.remove(`${FOLDER}${old}`);
  }
}
