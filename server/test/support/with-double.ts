import type { Double } from './doubles/double';
import { onEveryDatabase, type TestApp } from './test-app';

/** Runs the suite on every database of this run, with an application that uses the double of a provider. */
export function withDouble<T extends Double>(
  name: string,
  double: T,
  suite: (testApp: () => TestApp, double: T) => void,
  env: NodeJS.ProcessEnv = {},
): void {
  describe(name, () => {
    beforeAll(() => double.start());
    afterAll(() => double.close());
    onEveryDatabase(
      'the shop',
      (testApp) => suite(testApp, double),
      () => ({ ...double.env(), ...env }),
    );
  });
}
