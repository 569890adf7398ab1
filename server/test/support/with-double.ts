import { onEveryDatabase, type TestApp } from './test-app';

interface Startable {
  start(): Promise<unknown>;
  close(): Promise<void>;
  env(): NodeJS.ProcessEnv;
}

/**
 * Runs the suite on every database of this run, with an application that uses the double of a provider. Each run gets a new
 * double like `example`, because a retried suite must not see the state of a failed test.
 */
export function withDouble<T extends Startable>(
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
