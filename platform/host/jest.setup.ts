/**
 * Tests replace timers, fetch and storage after the imports, so this mock looks up `natives` at each use. natives.test.ts uses
 * the real module.
 */
function mockNatives() {
  const { captureNatives } = jest.requireActual<typeof import('./src/natives')>('./src/natives');
  return {
    captureNatives,
    // A test may assign a function, such as `reload`, which jsdom does not have.
    natives: new Proxy({} as ReturnType<typeof captureNatives>, {
      get: (set, name: keyof ReturnType<typeof captureNatives>) => set[name] ?? captureNatives()[name],
    }),
  };
}
jest.mock('./src/natives', () => mockNatives());
// Jest treats the linked package under this name as a second module, so it needs its own mock.
jest.mock('@platform/host/natives', () => mockNatives());

beforeEach(() => {
  if (typeof document !== 'undefined') document.documentElement.lang = 'zh-CN';
});
