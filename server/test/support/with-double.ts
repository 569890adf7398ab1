import type { Double } from './doubles/double';
import { onEveryDatabase, type TestApp } from './test-app';

/**
 * Runs the suite on every database of this run, with an application that uses the double of a provider. Each run gets a new
 * double like `example`, because a retried suite must not see the state of a failed test.
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
