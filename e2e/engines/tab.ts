/** A tab that a shopper uses: finds elements by role and name, as a screen reader does, and presses keys and the pointer's button. */
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type { Engine } from './engine';
import { type Found, locate, type Wanted } from './locate';

const library = readFileSync(require.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'), 'utf8');

export type Name = string | RegExp;

export class Tab {
  constructor(
    readonly engine: Engine,
    private readonly shopUrl: string,
  ) {}

  /** Calls a function in the page. It sees only its arguments and the page. */
  call<Args extends unknown[], Result>(does: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>> {
    return this.engine.call(does.toString(), args) as Promise<Awaited<Result>>;
  }

  open(path: string): Promise<void> {
    return this.engine.open(this.shopUrl + path);
  }

  /** Waits until the address, without the shop's origin, is that. */
  async arrives(path: string | RegExp): Promise<void> {
    await this.becomes(() => this.call(() => location.href.slice(location.origin.length)), path, 'the address');
  }

  /** Waits until an element is visible. */
  async sees(role: string, name?: Name): Promise<void> {
    await this.find({ role, name });
  }

  /** Waits until no element is. */
  async seesNo(role: string, name?: Name): Promise<void> {
    await expect
      .poll(() => this.look({ role, name }), `no ${role} ${name}`)
      .toBe(`there is no ${role} ${name ?? ''}`.trim());
  }

  /** Presses an element, once it can be reached. `within` is the name of a dialog. */
  async press(role: string, name?: Name, within?: Name): Promise<void> {
    const { x, y } = await this.find({ role, name, within, toPress: true });
    await this.engine.input([
      {
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ]);
  }

  async fill(role: string, name: Name, value: string): Promise<void> {
    await this.press(role, name);
    await this.type(value);
    await this.becomes(() => this.look({ role, name }), expect.objectContaining({ value }), `what ${name} contains`);
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.engine.input([{ type: 'key', id: 'keyboard', actions }]);
  }

  /** Waits until the page has a text that is visible. */
  async reads(text: Name): Promise<void> {
    await this.becomes(() => this.call(() => document.body.innerText), expect.stringMatching(text), 'the text');
  }

  private async find(wanted: Wanted<Name>): Promise<Found> {
    let found: Found | string = '';
    await this.becomes(
      async () => {
        found = await this.look(wanted);
        return found;
      },
      expect.any(Object),
      `${wanted.role} ${wanted.name ?? ''}`,
    );
    return found as unknown as Found;
  }

  /** Where an element is; or why it cannot be found or pressed, which a page that has just been loaded may end. */
  private async look({ role, name, within, toPress }: Wanted<Name>): Promise<Found | string> {
    const wanted = { role, name: asData(name), within: asData(within), toPress };
    const found = await this.call(locate, wanted);
    if (found !== 'no library') return found;
    await this.engine.call(`function () { ${library} }`, []);
    return this.call(locate, wanted);
  }

  /** A navigation ends what is asked of the page that it leaves. */
  private async becomes(read: () => Promise<unknown>, expected: unknown, what: string): Promise<void> {
    const polled = expect.poll(() => read().catch((error: Error) => error.message), {
      message: what,
      intervals: [100],
    });
    if (expected instanceof RegExp) await polled.toMatch(expected);
    else await polled.toEqual(expected);
  }
}

const asData = (name: Name | undefined) => (name instanceof RegExp ? { source: name.source } : name);
