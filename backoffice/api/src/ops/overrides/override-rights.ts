/** Who may have a release of theirs in a tab of their own (docs/adr/0068-overrides-in-a-deployed-site.md). */
import type { FindOverrideRight } from '@platform/pages/serving';
import { authorOf, type Identity, type ReleaseKeys } from '@platform/releases';
import type { BackOfficeSessions } from '../../staff/back-office-sessions';

const COOKIE = 'overrides';
/** A day of work. */
const PASS_SECONDS = 12 * 3600;
/** To every address of the shop, and never with a request that another site has caused. */
const SCOPE = 'Path=/; HttpOnly; SameSite=Strict';

/** What a browser holds: no key, so that nobody can take one from it. */
interface Pass {
  /** Id of the key that was shown; absent for somebody who is signed in at /ops. */
  key?: string;
  /** Milliseconds since 1970. */
  until: number;
}

interface Options {
  keys: ReleaseKeys;
  sessions: BackOfficeSessions;
  /** Whose releases the shop shows. */
  channel: string;
  now?: () => number;
}

/** The releases that an identity may bring to the channel; null for none. */
export function namesOf({ role, remotes, channels }: Identity, channel: string): readonly string[] | 'all' | null {
  if (role === 'ops' || role === 'platform') return 'all';
  return role === 'squad' && channels.includes(channel) ? remotes : null;
}

export class OverrideRights {
  private readonly now: () => number;

  constructor(private readonly options: Options) {
    this.now = options.now ?? Date.now;
  }

  /** A key that was revoked, a session that has ended, and a store that does not answer give none. */
  of: FindOverrideRight = async (cookies) => {
    if (!cookies) return null;
    const { keys, sessions, channel } = this.options;
    try {
      const pass = this.passOf(cookies);
      const previewer = await sessions.previewer(cookies);
      if (previewer) return { by: authorOf(previewer), names: 'all', panel: pass !== null };
      const identity = pass?.key === undefined ? null : await keys.identityOf(pass.key);
      const names = identity && namesOf(identity, channel);
      return names && { by: authorOf(identity), names, panel: true };
    } catch {
      return null;
    }
  };

  /** Null for a key that is not good, or not for this channel. */
  async show(key: string): Promise<Identity | null> {
    const identity = await this.options.keys.authenticate(key);
    return identity && namesOf(identity, this.options.channel) ? identity : null;
  }

  /** `key`: id of the one that was shown. */
  cookie(key: string | undefined, isSecure: boolean): string {
    const pass: Pass = { key, until: this.now() + PASS_SECONDS * 1000 };
    const secure = isSecure ? '; Secure' : '';
    return this.options.sessions.signed.header(COOKIE, pass, `${SCOPE}; Max-Age=${PASS_SECONDS}${secure}`);
  }

  readonly endedCookie = `${COOKIE}=; ${SCOPE}; Max-Age=0`;

  private passOf(cookies: string): Pass | null {
    const pass = this.options.sessions.signed.read<Pass>(COOKIE, cookies);
    return pass && pass.until > this.now() ? pass : null;
  }
}
