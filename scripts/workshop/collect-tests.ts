/**
 * Reads a file of tests in a browser, which has no jest: `describe`, `it` and the hooks say what there is, `jest` has the mocks, and
 * `expect` is never asked, because a test ends in the workshop where it has drawn.
 */
import { mockOf, spyOn } from './mocks';

type Body = (...values: unknown[]) => unknown;

export interface CollectedTest {
  /** With those of the blocks around it. */
  name: string;
  /** With the hooks before it. */
  run: () => Promise<void>;
}

interface Block {
  names: string[];
  before: Body[];
  around?: Block;
}

/** `load` evaluates the file, which finds jest's names in `scope`. */
export async function collectTests(load: () => Promise<unknown>, scope: object = globalThis): Promise<CollectedTest[]> {
  const tests: CollectedTest[] = [];
  let block: Block = { names: [], before: [] };
  const test = (name: string, body: Body = () => {}) => {
    const own = block;
    const run = async () => {
      for (const before of hooksOf(own)) await before();
      await body();
    };
    tests.push({ name: [...own.names, name].join(' · '), run });
  };
  const describe = (name: string, body: Body) => {
    const around = block;
    block = { names: [...around.names, name], before: [], around };
    body();
    block = around;
  };
  const hook = (body: Body) => void block.before.push(body);
  const none = () => {};
  const it = Object.assign(test, { each: eachOf(test), only: test, skip: none, todo: none });
  Object.assign(scope, {
    ...{ it, test: it, describe: Object.assign(describe, { each: eachOf(describe), only: describe, skip: none }) },
    ...{ beforeAll: hook, beforeEach: hook, afterAll: none, afterEach: none, expect: ignored, jest: jestInBrowser },
  });
  await load();
  return tests;
}

const hooksOf = ({ around, before }: Block): Body[] => [...(around ? hooksOf(around) : []), ...before];

const eachOf =
  (add: (name: string, body: Body) => void) => (rows: readonly unknown[]) => (name: string, body: Body) => {
    for (const row of rows) {
      const values = Array.isArray(row) ? row : [row];
      add(named(name, values), () => body(...values));
    }
  };

/** The values of a row in the place of %s and its kind. */
function named(name: string, values: readonly unknown[]): string {
  const left = [...values];
  return name.replace(/%[sdijop]/g, (place) => {
    if (left.length === 0) return place;
    const value = left.shift();
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
}

/** Takes every call, and gives itself. */
const ignored: object = new Proxy(() => {}, {
  get: (_, name) => (name === 'then' ? undefined : ignored),
  apply: () => ignored,
});

const nothing = () => {};
const jestInBrowser = {
  fn: mockOf,
  spyOn,
  mocked: (value: unknown) => value,
  ...{ mock: nothing, restoreAllMocks: nothing, clearAllMocks: nothing, resetAllMocks: nothing },
  // Time goes on: what is drawn stays in sight.
  ...{ useFakeTimers: nothing, useRealTimers: nothing, setSystemTime: nothing },
  ...{ advanceTimersByTime: nothing, advanceTimersByTimeAsync: async () => {} },
};
