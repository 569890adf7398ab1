/** A shopper's tab: finds elements by role and name, as a screen reader does, and sends key and pointer input. */
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import type * as TestingLibrary from '@testing-library/dom';

const library = readFileSync(require.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'), 'utf8');

/** An input source and its actions, equal in WebDriver and WebDriver BiDi. */
export interface InputSource {
  type: 'pointer' | 'key';
  id: string;
  actions: Array<Record<string, unknown>>;
}

export interface Engine {
  open(url: string): Promise<void>;
  /** Calls a function in the page by its source. It sees only its arguments, which are sent as JSON, and the page. */
  call(source: string, args: unknown[]): Promise<unknown>;
  input(sources: InputSource[]): Promise<void>;
  resize(size: { width: number; height: number }): Promise<void>;
  screenshot(): Promise<Buffer>;
  errors(): string[];
  close(): Promise<void>;
}

type Name = string | RegExp;

interface Wanted<Name = unknown> {
  role: string;
  name?: Name;
  /** The element must be scrolled into view, at rest, enabled and uncovered. */
  toPress?: boolean;
}

interface Target {
  x: number;
  y: number;
  value: string | undefined;
}

/** Runs in the page. Returns the first visible element of that role and name, or the reason why there is none to use. */
async function locate({ role, name, toPress }: Wanted): Promise<Target | string> {
  const { TestingLibraryDom: library } = window as unknown as { TestingLibraryDom?: typeof TestingLibrary };
  if (!library) return 'no library';
  const asName = (data: unknown) =>
    data && typeof data === 'object' && 'source' in data
      ? new RegExp(String(data.source))
      : (data as string | undefined);
  const [element] = library.queryAllByRole(document.body, role, { name: asName(name) });
  const label = `${role} ${asName(name) ?? ''}`.trim();
  if (!element) return `there is no ${label}`;
  const place = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  };
  if (toPress) {
    if (element.matches(':disabled, [aria-disabled="true"]')) return `${label} is disabled`;
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const before = place();
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const { x, y } = place();
    if (x !== before.x || y !== before.y) return `${label} moves`;
    const top = document.elementFromPoint(x, y);
    // A field's own input can lie under its label.
    const reached = top && (element.contains(top) || top.closest('label')?.contains(element));
    if (!reached) return `${label} is covered by ${top?.outerHTML.slice(0, 200)}`;
  }
  return { ...place(), value: (element as HTMLInputElement).value };
}

export class Tab {
  constructor(
    readonly engine: Engine,
    private readonly shopUrl: string,
  ) {}

  call<Args extends unknown[], Result>(does: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>> {
    return this.engine.call(does.toString(), args) as Promise<Awaited<Result>>;
  }

  open(path: string): Promise<void> {
    return this.engine.open(this.shopUrl + path);
  }

  async arrives(path: string | RegExp): Promise<void> {
    await this.becomes(() => this.call(() => location.href.slice(location.origin.length)), path, 'the address');
  }

  async sees(role: string, name?: Name): Promise<void> {
    await this.find({ role, name });
  }

  async seesNo(role: string, name?: Name): Promise<void> {
    await expect
      .poll(() => this.look({ role, name }), `no ${role} ${name}`)
      .toBe(`there is no ${role} ${name ?? ''}`.trim());
  }

  /** Clicks an element once it can be reached. */
  async click(role: string, name?: Name): Promise<void> {
    const { x, y } = await this.find({ role, name, toPress: true });
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
    await this.click(role, name);
    await this.type(value);
    await this.becomes(() => this.look({ role, name }), expect.objectContaining({ value }), `what ${name} contains`);
  }

  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.engine.input([{ type: 'key', id: 'keyboard', actions }]);
  }

  async reads(text: Name): Promise<void> {
    await this.becomes(() => this.call(() => document.body.innerText), expect.stringMatching(text), 'the text');
  }

  private async find(wanted: Wanted<Name>): Promise<Target> {
    let target: Target | string = '';
    await this.becomes(
      async () => {
        target = await this.look(wanted);
        return target;
      },
      expect.any(Object),
      `${wanted.role} ${wanted.name ?? ''}`,
    );
    return target as unknown as Target;
  }

  /** The position of an element, or why it cannot be found or clicked. A page that has just been loaded may end the call. */
  private async look({ role, name, toPress }: Wanted<Name>): Promise<Target | string> {
    const wanted = { role, name: asData(name), toPress };
    const result = await this.call(locate, wanted);
    if (result !== 'no library') return result;
    await this.engine.call(`function () { ${library} }`, []);
    return this.call(locate, wanted);
  }

  /** A navigation ends calls to the page that it leaves. */
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
