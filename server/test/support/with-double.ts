import type { Double } from './doubles/double';
import { onEveryDatabase, type TestApp } from './test-app';

/**
 * Runs the suite on every database of this run, with an application that uses the double of a provider: one like `example`, because a
 * suite that runs again must not find it as a failed test has left it.
 */
export function withDouble<T extends Double>(
  name: string,
  example: T,
  suite: (testApp: () => TestApp, double: T) => void,
  env: NodeJS.ProcessEnv = {},
): void {
  describe(name, () => {
    const double = new (example.constructor as new () => T)();
    beforeAll(() => double.start());
    afterAll(() => double.close());
    onEveryDatabase(
      'the shop',
      (testApp) => suite(testApp, double),
      () => ({ ...double.env(), ...env }),
    );
  });
}
