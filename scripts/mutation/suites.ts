import path from 'node:path';
import { expect } from 'expect';
import circus, { addEventHandler, type Event, getState, resetState, run, type State } from 'jest-circus';
import { ModuleMocker } from 'jest-mock';

/** A top-level describe of a test file, or the file's other tests: what runs apart from the others. */
export interface Suite {
  name: string;
  define(): void;
  /** From the run without a mutant, in its order: the names of the tests, with their milliseconds. */
  tests: Map<string, number>;
}

export interface SuiteResult {
  tests: { name: string; ms: number }[];
  failure?: { test: string; message: string };
}

/** For hangs: a test may take that many times as long as without a mutant, and so long at least. */
const SLOWER = 20;
const LEAST_MS = 30_000;

type Define = () => void;
type Block = State['rootDescribeBlock'];
type Test = Extract<Block['children'][number], { type: 'test' }>;
const fileHooks = ['beforeAll', 'beforeEach', 'afterAll', 'afterEach'] as const;
const definers = ['describe', 'it', 'test'] as const;

/**
 * Runs tests of jest in this process with jest's own runner of tests (jest-circus), again and again without loading their modules anew,
 * which takes longer than most tests of a server. What a file sets up when it is loaded is set up once; all within a describe, each time.
 */
export class Suites {
  private readonly hooksOfAll: Define[] = [];
  private running?: { suite: Suite; onTest(name: string): void; result: SuiteResult };

  constructor() {
    // The time limits are those of `run`.
    const jest = Object.assign(new ModuleMocker(globalThis), { setTimeout: () => {} });
    Object.assign(globalThis, { expect, jest });
    addEventHandler((event) => this.follow(event));
    // Of what a test that took too long has left behind.
    process.on('unhandledRejection', () => {});
  }

  /** The suites of a test file. */
  load(file: string): Suite[] {
    const suites: Suite[] = [];
    const hooks: Define[] = [];
    const others: Define[] = [];
    const add = (name: string, defines: Define[]) =>
      suites.push({
        name: `${file}: ${name}`,
        define: () => {
          for (const define of [...this.hooksOfAll, ...hooks, ...defines]) define();
        },
        tests: new Map(),
      });
    // A hook of a module that tests share counts for all of them.
    const hooksOf = (caller = '') => (caller.includes(file) ? hooks : this.hooksOfAll);
    for (const name of fileHooks)
      Object.assign(globalThis, {
        [name]: (...call: Parameters<typeof beforeAll>) =>
          hooksOf(new Error().stack?.split('\n')[2]).push(() => circus[name](...(call as [() => void]))),
      });
    for (const name of definers) {
      const note = (title: string, define: Define) =>
        name === 'describe' ? add(title, [define]) : others.push(define);
      const definer = circus[name] as unknown as Definer;
      const recorded = (...call: Parameters<Definer>) => note(call[0], () => definer(...call));
      const each =
        (...table: unknown[]) =>
        (...call: Parameters<Definer>) =>
          note(call[0], () => definer.each(...table)(...call));
      Object.assign(globalThis, { [name]: Object.assign(recorded, { each }) });
    }
    require(path.resolve(file));
    if (others.length > 0) add('', others);
    return suites;
  }

  /** Stops at the first failure, and after `last`. */
  async run(suite: Suite, { last = '', onTest = (_name: string) => {} } = {}): Promise<SuiteResult> {
    resetState();
    Object.assign(getState(), { testTimeout: LEAST_MS * SLOWER });
    Object.assign(globalThis, circus);
    suite.define();
    const names = [...suite.tests.keys()];
    const unwanted = new Set(last ? names.slice(names.indexOf(last) + 1) : []);
    for (const test of testsOf(getState().rootDescribeBlock)) if (unwanted.has(nameOf(test))) test.mode = 'skip';
    const result: SuiteResult = { tests: [] };
    this.running = { suite, onTest, result };
    onTest(lastOf(getState().rootDescribeBlock));
    await run();
    return result;
  }

  private follow(event: Event): void {
    if (!this.running) return;
    const { suite, onTest, result } = this.running;
    const fail = (test: string, error: unknown) => {
      result.failure ??= { test, message: error instanceof Error ? error.message : String(error) };
    };
    // What a suite sets up is used by all its tests: noticing a fault in it takes all of them, to the last.
    if (event.name === 'hook_start' && event.hook.type === 'beforeAll') onTest(lastOf(getState().rootDescribeBlock));
    else if (event.name === 'test_start') {
      const name = nameOf(event.test);
      if (result.failure) event.test.mode = 'skip';
      else onTest(name);
      const usual = suite.tests.get(name);
      if (usual !== undefined) event.test.timeout = Math.max(LEAST_MS, SLOWER * usual);
    } else if (event.name === 'test_fn_failure') fail(nameOf(event.test), event.error);
    else if (event.name === 'hook_failure') fail(event.test ? nameOf(event.test) : suite.name, event.error);
    else if (event.name === 'test_done' && event.test.mode !== 'skip')
      result.tests.push({ name: nameOf(event.test), ms: event.test.duration ?? 0 });
  }
}

export const durationOf = ({ tests }: Suite): number => [...tests.values()].reduce((sum, ms) => sum + ms, 0);

interface Definer {
  (title: string, ...rest: unknown[]): void;
  each(...table: unknown[]): (title: string, ...rest: unknown[]) => void;
}

const testsOf = (block: Block): Test[] =>
  block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));

const lastOf = (block: Block): string => nameOf(testsOf(block).at(-1) as Test);

function nameOf(test: Test): string {
  const names: unknown[] = [test.name];
  for (let block: Block | undefined = test.parent; block?.parent; block = block.parent) names.unshift(block.name);
  return names.join(' ');
}
