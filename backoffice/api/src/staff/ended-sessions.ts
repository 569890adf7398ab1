import { createHash } from 'node:crypto';
import type { Store } from '@platform/releases';

const SESSIONS = 'ops/ended/';
const PEOPLE = 'ops/people/';

/** What is asked of a session. */
export interface EndableSession {
  /** Begins with the millisecond in which it ends by itself. */
  id: string;
  /** The same for the same person. */
  subject: string;
  /** Milliseconds since 1970. */
  openedAt: number;
}

interface PersonMark {
  /** What was opened up to then has ended; null: what comes later as well. */
  until: number | null;
  /** The session in which the person has ended the others. */
  except?: string;
}

const fileOf = (subject: string) => `${PEOPLE}${createHash('sha256').update(subject).digest('hex').slice(0, 32)}`;

/** Sessions that ended early, in the release store, so that every server knows them also without a database. */
export class EndedSessions {
  private readonly read = new Map<string, { at: number; content: Promise<Buffer | null> }>();

  constructor(
    private readonly blobs: Store['blobs'],
    private readonly now: () => number,
  ) {}

  async has({ id, subject, openedAt }: EndableSession): Promise<boolean> {
    const [ended, person] = await Promise.all([this.contentOf(`${SESSIONS}${id}`), this.contentOf(fileOf(subject))]);
    if (ended) return true;
    if (!person) return false;
    const { until, except } = JSON.parse(person.toString('utf8')) as PersonMark;
    return except !== id && (until === null || openedAt <= until);
  }

  /** What has ended by itself is forgotten. */
  async add(id: string): Promise<void> {
    await this.write(`${SESSIONS}${id}`, '{}');
    // The session has ended already; what is left over goes with the next one.
    await this.cleanUp().catch(() => {});
  }

  /** All sessions of a person but one; `forGood`: also those that are opened later. */
  endPerson(subject: string, { except, forGood }: { except?: string; forGood?: boolean } = {}): Promise<void> {
    const mark: PersonMark = { until: forGood ? null : this.now(), except };
    return this.write(fileOf(subject), JSON.stringify(mark));
  }

  private contentOf(file: string): Promise<Buffer | null> {
    const known = this.read.get(file);
    if (known && this.now() - known.at < this.blobs.readAgainMs) return known.content;
    const content = this.blobs.get(file);
    this.read.set(file, { at: this.now(), content });
    content.catch(() => this.read.delete(file));
    for (const [old, { at }] of this.read)
      if (this.now() - at >= this.blobs.readAgainMs && old !== file) this.read.delete(old);
    return content;
  }

  private async write(file: string, content: string): Promise<void> {
    await this.blobs.put(file, Buffer.from(content));
    this.read.delete(file);
  }

  private async cleanUp(): Promise<void> {
    for (const old of await this.blobs.list(SESSIONS))
      if (Number.parseInt(old, 10) < this.now()) await this.blobs.remove(`${SESSIONS}${old}`);
  }
}
