/**
 * Keys of the release API. The store has them, so that they work without a database:
 *
 *   ops/keys/<id>.json       the name, the grant and the SHA-256 of the secret
 *   ops/used/<time>-<hash>   an exchanged token of a forge, until it expires
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { CHANNEL, isReleaseName } from '../contract';
import { type Blobs, StoreError } from '../store/blobs';
import { type Grant, type Identity, ROLES } from './identity';

const KEYS = 'ops/keys/';
const USED = 'ops/used/';
const DAY_MS = 86_400_000;
const MAX_DAYS = 366;
const KEY = /^releasekey_([0-9a-f]{16})_([\w-]{43})$/;
const ID = /^[0-9a-f]{16}$/;
/** Visible characters only, and none that the history uses to mark a role. */
const KEY_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._/@:#-]{0,99}$/u;

export const containsKey = (text: string): boolean => /releasekey_/.test(text);

interface KeyRecord extends Identity {
  hash: string;
  at: string;
  by: string;
  revoked?: { at: string; by: string };
  /** Only in keys of versions with several channels. A squad's key for other channels only is not valid. */
  channels?: readonly string[];
}

export type ListedKey = Omit<KeyRecord, 'hash'>;

export interface NewKey extends Grant {
  name: string;
  by: string;
  kind?: 'key' | 'forge';
  source?: Identity['source'];
  lifetime: number;
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
const plain = (name: string) => name.normalize('NFKC').toLowerCase();
const isLive = ({ role, expiresAt, revoked, channels = [CHANNEL] }: KeyRecord, now: number) =>
  !revoked && Date.parse(expiresAt) > now && (role !== 'squad' || channels.includes(CHANNEL));

/** Throws StoreError with the reason. */
export function checkGrant({ role, remotes, maxTraffic }: Grant): void {
  if (!ROLES.includes(role)) throw new StoreError(`"${role}" is not one of the roles ${ROLES.join(', ')}`);
  if (role === 'squad' && remotes.length === 0) throw new StoreError('a squad needs the names of its remotes');
  if (role !== 'squad' && (remotes.length > 0 || maxTraffic !== undefined))
    throw new StoreError(`remotes and a traffic limit are for squads; ${role} is not limited`);
  const wrong = remotes.find((name) => !isReleaseName(name));
  if (wrong !== undefined) throw new StoreError(`"${wrong}" is not a name such as catalog`);
  if (maxTraffic !== undefined && !(maxTraffic > 0 && maxTraffic <= 100))
    throw new StoreError('a traffic limit is more than 0 and at most 100 per cent');
}

export class ReleaseKeys {
  constructor(
    private readonly blobs: Blobs,
    private readonly now: () => number = Date.now,
  ) {}

  /** Only the result contains the key; the store has its hash. Throws StoreError. */
  async make({ name, by, kind = 'key', lifetime, source, ...grant }: NewKey) {
    checkGrant(grant);
    if (!KEY_NAME.test(name))
      throw new StoreError(`"${name}" is not a name: letters, digits, spaces and . _ / @ : # -`);
    if (!(lifetime > 0 && lifetime <= MAX_DAYS * DAY_MS))
      throw new StoreError(`a key is valid for 1 to ${MAX_DAYS} days`);
    const isTaken = (record: KeyRecord) =>
      record.kind === 'key' && isLive(record, this.now()) && plain(record.name) === plain(name);
    if (kind === 'key' && (await this.records()).some(isTaken))
      throw new StoreError(`a key with the name "${name}" exists; revoke it first, or choose another name`);
    const id = randomBytes(8).toString('hex');
    const secret = randomBytes(32).toString('base64url');
    const record: KeyRecord = {
      id,
      name,
      kind,
      ...grant,
      expiresAt: new Date(this.now() + lifetime).toISOString(),
      ...(source && { source }),
      hash: hashOf(secret),
      at: new Date(this.now()).toISOString(),
      by,
    };
    await this.write(record);
    return { key: `releasekey_${id}_${secret}`, identity: toIdentity(record) };
  }

  /** Null for anything but a live key, without the reason. */
  async authenticate(key: string): Promise<Identity | null> {
    const [, id, secret] = KEY.exec(key) ?? [];
    if (!id || !secret) return null;
    const record = await this.read(id);
    if (!record || !isLive(record, this.now())) return null;
    return timingSafeEqual(Buffer.from(record.hash), Buffer.from(hashOf(secret))) ? toIdentity(record) : null;
  }

  /** Newest first, including revoked and expired keys, without the short-lived keys of forges. */
  async list(): Promise<ListedKey[]> {
    const records = (await this.records()).filter(({ kind }) => kind === 'key');
    return records.sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ hash: _, ...shown }) => shown);
  }

  /** The key is invalid on all servers at once. Throws StoreError for an unknown key. */
  async revoke(id: string, by: string): Promise<ListedKey> {
    const record = ID.test(id) ? await this.read(id) : null;
    if (!record) throw new StoreError(`there is no key ${id}; see: npm run release -- keys list`);
    const revoked = record.revoked ?? { at: new Date(this.now()).toISOString(), by };
    await this.write({ ...record, revoked });
    const { hash: _, ...shown } = record;
    return { ...shown, revoked };
  }

  /** False if the token was used before. `id` names the token among those of its issuer; `expires` is in ms since 1970. */
  async takeOnce(id: string, expires: number): Promise<boolean> {
    const isFirst = await this.blobs.putNew(`${USED}${expires}-${hashOf(id)}`, randomBytes(16));
    // The next call cleans up what is left.
    await this.cleanUp().catch(() => {});
    return isFirst;
  }

  private async cleanUp(): Promise<void> {
    for (const used of await this.blobs.list(USED))
      if (Number.parseInt(used, 10) < this.now()) await this.blobs.remove(`${USED}${used}`);
    for (const record of await this.records())
      if (record.kind === 'forge' && !isLive(record, this.now())) await this.blobs.remove(`${KEYS}${record.id}.json`);
  }

  private async records(): Promise<KeyRecord[]> {
    const files = await this.blobs.list(KEYS);
    const records = await Promise.all(files.map((file) => this.read(file.replace(/\.json$/, ''))));
    return records.filter((record) => record !== null);
  }

  private async read(id: string): Promise<KeyRecord | null> {
    const content = await this.blobs.get(`${KEYS}${id}.json`);
    try {
      const record = content && (JSON.parse(content.toString('utf8')) as KeyRecord | null);
      return record?.id === id ? record : null;
    } catch {
      // A damaged key grants nothing and must not hide the others.
      return null;
    }
  }

  private async write(record: KeyRecord): Promise<void> {
    await this.blobs.put(`${KEYS}${record.id}.json`, Buffer.from(`${JSON.stringify(record)}\n`));
  }
}

const toIdentity = ({ hash: _hash, at: _at, by: _by, revoked: _revoked, ...identity }: KeyRecord): Identity => identity;
