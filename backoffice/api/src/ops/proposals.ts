/**
 * Acts that need two people, in the release store, so that they work without a database:
 *
 *   ops/proposals/<id>/proposal.json   what somebody wants to do
 *   ops/proposals/<id>/agreed-<hash>   a person who agrees, one file for each
 *   ops/proposals/<id>/done            it was begun or declined; nobody begins it again
 */
import { createHash, randomBytes } from 'node:crypto';
import { type ActLimits, type ActRequest, type Store, StoreError } from '@platform/releases';
import { actNeedsSecond, PEOPLE, type SecondPersonRule } from '../staff/second-person';

const FOLDER = 'ops/proposals/';
const LIFETIME_MS = 86_400_000;
const AT_MOST = 50;
const ID = /^\d{10}-[0-9a-f]{12}$/;

/** Somebody who counts as one of the two. */
export interface Person {
  /** The same for the same person, whatever the name. */
  subject: string;
  /** As the history names them. */
  author: string;
}

export interface NewProposal {
  act: ActRequest;
  channel: string;
  why?: string;
  by: string;
  /** Of whoever proposes it. */
  limits?: ActLimits;
}

export interface Proposal extends NewProposal {
  id: string;
  /** ISO 8601, UTC. */
  at: string;
  /** Who has agreed, as the history names them. */
  agreed: string[];
  /** Hashes of the same people. */
  subjects: string[];
}

export const hashOf = (subject: string) => createHash('sha256').update(subject).digest('hex').slice(0, 32);

/** "promote shell@1.2.0 to 10 % of the visitors" */
export function describeAct(act: ActRequest): string {
  if (act.act === 'restore') return `put the whole map back to revision ${act.rev}`;
  if (act.act === 'settings') {
    const { provenance, overrides } = act;
    const set = [provenance && `set provenance to ${provenance}`, overrides && `set overrides to ${overrides}`];
    return set.filter(Boolean).join(' and ');
  }
  if (act.act === 'promote-together')
    return `promote ${act.releases.map(({ name, version }) => `${name}@${version}`).join(' and ')} together`;
  const version = act.act === 'rollback' ? act.to : 'version' in act ? act.version : undefined;
  const what = `${act.act} ${act.name}${version ? `${act.act === 'rollback' ? ' to ' : '@'}${version}` : ''}`;
  if (act.act !== 'promote') return what;
  const share = act.canary ? ' as a canary' : act.traffic ? ` to ${act.traffic} % of the visitors` : ' for everybody';
  return `${what}${share}${act.skip?.length ? `, without these checks: ${act.skip.join(', ')}` : ''}`;
}

export class Proposals {
  constructor(
    private readonly blobs: Store['blobs'],
    private readonly rules: readonly SecondPersonRule[],
    private readonly now: () => number = Date.now,
  ) {}

  isNeeded = (act: ActRequest): boolean => actNeedsSecond(this.rules, act);

  /** A rollback to what was never live would be a promote by one person. */
  limitsFor(act: ActRequest, limits: ActLimits | undefined): ActLimits | undefined {
    const isPromote = act.act === 'rollback' && this.isNeeded({ act: 'promote', name: act.name });
    return isPromote ? { ...limits, onlyEarlier: true } : limits;
  }

  /** The id. `person`: null for a key or the break-glass token, which are nobody. Throws StoreError. */
  async propose(wanted: NewProposal, person: Person | null): Promise<string> {
    const { act } = wanted;
    const releases = act.act === 'promote-together' ? act.releases : act.act === 'promote' ? [act] : [];
    // What is published meanwhile is not what was agreed to.
    if (releases.some(({ version }) => version === undefined))
      throw new StoreError('this needs two people, so it needs the version that they agree to');
    await this.cleanUp();
    if ((await this.blobs.list(FOLDER)).length >= AT_MOST)
      throw new StoreError('too many proposals wait; decline some');
    const expires = Math.floor((this.now() + LIFETIME_MS) / 1000);
    const id = `${expires}-${randomBytes(6).toString('hex')}`;
    const proposal = { ...wanted, id, at: new Date(this.now()).toISOString() };
    await this.blobs.put(`${FOLDER}${id}/proposal.json`, Buffer.from(`${JSON.stringify(proposal)}\n`));
    if (person) await this.write(id, person);
    return id;
  }

  /** What waits on a channel, oldest first. */
  async list(channel: string): Promise<Proposal[]> {
    if (this.rules.length === 0) return [];
    const found = await Promise.all((await this.blobs.list(FOLDER)).sort().map((id) => this.get(id, channel)));
    return found.filter((one) => one !== null);
  }

  /** Null for what was begun, declined, has expired or never was. */
  async get(id: string, channel: string): Promise<Proposal | null> {
    if (!ID.test(id) || Number.parseInt(id, 10) * 1000 < this.now()) return null;
    const content = await this.blobs.get(`${FOLDER}${id}/proposal.json`);
    if (!content) return null;
    const files = await this.blobs.list(`${FOLDER}${id}/`);
    const proposal = JSON.parse(content.toString('utf8')) as Proposal;
    if (files.includes('done') || proposal.channel !== channel) return null;
    const names = files.filter((file) => file.startsWith('agreed-'));
    const agreed = await Promise.all(names.map(async (file) => String(await this.blobs.get(`${FOLDER}${id}/${file}`))));
    return { ...proposal, agreed, subjects: names.map((file) => file.slice('agreed-'.length)) };
  }

  /** How many people are still missing; 0: it may be begun. Throws StoreError when this person has agreed already. */
  async agree({ id, channel }: Proposal, person: Person): Promise<{ missing: number; proposal: Proposal }> {
    if (!(await this.write(id, person)))
      throw new StoreError(`${person.author} has agreed to this already: somebody else confirms it`);
    const proposal = await this.get(id, channel);
    if (!proposal) throw new StoreError('this proposal was begun or declined meanwhile');
    return { missing: Math.max(0, PEOPLE - proposal.agreed.length), proposal };
  }

  /** Of several servers and people one gets true. */
  end = ({ id }: Proposal): Promise<boolean> => this.blobs.putNew(`${FOLDER}${id}/done`, Buffer.alloc(0));

  private write(id: string, { subject, author }: Person): Promise<boolean> {
    return this.blobs.putNew(`${FOLDER}${id}/agreed-${hashOf(subject)}`, Buffer.from(author));
  }

  private async cleanUp(): Promise<void> {
    for (const id of await this.blobs.list(FOLDER))
      if (Number.parseInt(id, 10) * 1000 < this.now()) await this.blobs.removeAll(`${FOLDER}${id}/`);
  }
}

/** Who wanted it and who has confirmed it, for the history. */
export function authorsOf({ by, agreed }: Proposal): string {
  const others = [...agreed];
  if (others.includes(by)) others.splice(others.indexOf(by), 1);
  return `${by}, confirmed by ${others.join(', ')}`;
}
