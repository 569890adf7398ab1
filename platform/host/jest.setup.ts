/** Tests replace timers, fetch and storage after the imports, so `natives` looks them up at each use. natives.test.ts uses the real module. */
function mockNatives() {
  const { captureNatives } = jest.requireActual<typeof import('./src/natives')>('./src/natives');
  return {
    captureNatives,
    // A test may set one, such as `reload`, which jsdom does not have.
    natives: new Proxy({} as ReturnType<typeof captureNatives>, {
      get: (set, name: keyof ReturnType<typeof captureNatives>) => set[name] ?? captureNatives()[name],
    }),
  };
}
jest.mock('./src/natives', () => mockNatives());
// By this name jest knows the linked package as another module.
jest.mock('@platform/host/natives', () => mockNatives());

// Each test opens a document of its own, which is in Chinese.
beforeEach(() => {
  if (typeof document !== 'undefined') document.documentElement.lang = 'zh-CN';
});
