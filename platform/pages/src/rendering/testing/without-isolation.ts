import { IsolatedRenderer } from '../renderer';

interface Pools {
  poolOf(this: IsolatedRenderer, set: unknown, remote: string | undefined, user?: string): Promise<unknown>;
}

/**
 * Disables isolation between users until mocks are restored: personal pages are rendered in the isolate of public ones. Tests of
 * isolation prove with it that they would detect a leak.
 */
export function disableIsolation(): void {
  const pools = IsolatedRenderer.prototype as unknown as Pools;
  const { poolOf } = pools;
  jest.spyOn(pools, 'poolOf').mockImplementation(function (this: IsolatedRenderer, set, remote) {
    return poolOf.call(this, set, remote);
  });
}
