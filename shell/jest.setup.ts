/** Tests replace timers, fetch and storage after the imports, so `natives` looks them up at each use. natives.test.ts uses the real module. */
jest.mock('./src/platform/natives', () => {
  const { captureNatives } = jest.requireActual<typeof import('./src/platform/natives')>('./src/platform/natives');
  return {
    captureNatives,
    natives: new Proxy({} as ReturnType<typeof captureNatives>, {
      get: (_, name: keyof ReturnType<typeof captureNatives>) => captureNatives()[name],
    }),
  };
});

// Each test opens a document of its own, which is in Chinese.
beforeEach(() => {
  if (typeof document !== 'undefined') document.documentElement.lang = 'zh-CN';
});
