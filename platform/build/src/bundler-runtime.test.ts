/** @jest-environment node */
import federation from './bundler-runtime';

const { bundlerRuntime } = federation;

function bundle(shared: Record<string, unknown> = {}) {
  return { m: {}, c: {}, S: {}, federation: { initOptions: { name: 'test', shared } } } as never;
}
const consumer = (shareKey: string, requiredVersion: string) => ({
  shareKey,
  shareInfo: { scope: ['default'], shareConfig: { requiredVersion } },
});
const provides = {
  react: [{ version: '19.3.1', scope: ['default'], get: () => () => 'React' }],
  forms: [{ version: '1.10.0', scope: ['default'], get: async () => () => 'forms' }],
};

function read(runtime: { m: Record<string, (module: { exports: unknown }) => void> }, id: string): unknown {
  const module = { exports: undefined as unknown };
  runtime.m[id]?.(module);
  return module.exports;
}

function shell() {
  const runtime = bundle(provides) as { S: Record<string, never>; m: never };
  bundlerRuntime.init({ webpackRequire: runtime as never });
  return runtime;
}

function remote(needs: Record<string, ReturnType<typeof consumer>>) {
  const runtime = bundle() as { m: never };
  bundlerRuntime.init({ webpackRequire: runtime as never });
  bundlerRuntime.initContainerEntry({ webpackRequire: runtime as never, shareScope: shell().S.default as never });
  const promises: unknown[] = [];
  const consume = () =>
    bundlerRuntime.consumes({
      chunkId: 'page',
      promises,
      chunkMapping: { page: Object.keys(needs) },
      moduleToHandlerMapping: needs,
      installedModules: {},
      webpackRequire: runtime as never,
    });
  return { runtime, promises, consume };
}

it('the shell resolves eager modules synchronously', () => {
  const runtime = shell();
  bundlerRuntime.installInitialConsumes({
    initialConsumes: ['1'],
    moduleToHandlerMapping: { 1: consumer('react', '^19.3.1') },
    installedModules: {},
    webpackRequire: runtime as never,
  });
  expect(read(runtime, '1')).toBe('React');
});

it("a chunk of a remote resolves the shell's copy of a module, eager or lazy", async () => {
  const { runtime, promises, consume } = remote({ 1: consumer('react', '^19.0.0'), 2: consumer('forms', '^1.9.9') });
  consume();
  await Promise.all(promises);
  expect([read(runtime, '1'), read(runtime, '2')]).toEqual(['React', 'forms']);
});

it.each([
  ['a newer major', consumer('react', '^20.0.0')],
  ['a newer minor', consumer('forms', '^1.11.0')],
  ['a newer patch', consumer('react', '^19.3.2')],
  ['an older major', consumer('react', '^18.0.0')],
  ['a module that is not provided', consumer('vue', '^3.0.0')],
])('a chunk rejects %s, and tries again at the next attempt', async (_, need) => {
  const { promises, consume } = remote({ 1: need });
  consume();
  await expect(Promise.all(promises)).rejects.toThrow(/Unsatisfied version of shared singleton/);
  consume();
  await expect(Promise.all(promises.slice(1))).rejects.toThrow(/Unsatisfied version/);
});
