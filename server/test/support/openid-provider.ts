import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

type Person = { name?: string; groups?: string[] };

export interface Wrong {
  /** What ID tokens say instead of what is right; null: nothing. */
  claims?: Record<string, unknown>;
  /** Signed by a key that the provider does not publish. */
  foreign?: boolean;
}

/** A real provider in a process of its own; see openid-provider-program.mjs. */
export class OpenIdProvider {
  issuer = '';
  private child: ChildProcess | undefined;

  async start(clients: object | object[], people: Record<string, Person>): Promise<this> {
    // What it warns of, such as keys in its memory, is right for a test.
    this.child = fork(path.join(__dirname, 'openid-provider-program.mjs'), {
      env: { ...process.env, PROVIDER_CLIENTS: JSON.stringify([clients].flat()) },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const [{ issuer }] = await once(this.child, 'message');
    this.issuer = issuer;
    await this.tell({ people });
    return this;
  }
  setPeople = (people: Record<string, Person>) => this.tell({ people });
  setWrong = (wrong: Wrong = {}) => this.tell({ wrong });
  /** How often a code was exchanged, or the exchange was tried. */
  tokenCalls = async (): Promise<number> => (await this.tell({})).tokenCalls;
  async close(): Promise<void> {
    if (!this.child || this.child.exitCode !== null) return;
    this.child.kill();
    await once(this.child, 'exit');
  }

  /** From the address that the shop sends a browser to, up to the one that the provider sends it back to. `as` null: Cancel. */
  async visit(address: string, as: string | null, cookies = new Map<string, string>()): Promise<string> {
    for (let next = address; ; ) {
      const url = new URL(next);
      if (url.pathname.startsWith('/interaction/') && as) url.searchParams.set('as', as);
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (!location) throw new Error(`the provider answers ${answer.status}: ${await answer.text()}`);
      next = new URL(location, url).href;
      if (!next.startsWith(this.issuer)) return next;
    }
  }

  private async tell(message: object): Promise<{ tokenCalls: number }> {
    const { child } = this;
    if (!child) throw new Error('the provider was not started');
    const answered = once(child, 'message');
    child.send(message);
    const [answer] = await answered;
    return answer;
  }
}
