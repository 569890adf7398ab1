import { IsolatedRenderer } from '../renderer';

interface Pools {
  poolOf(this: IsolatedRenderer, set: unknown, remote: string | undefined, user?: string): Promise<unknown>;
}

/**
 * Takes away what keeps people apart until mocks are restored: pages with a user's data are rendered where everybody's are, in one isolate.
 * Tests of isolation show with it that they would notice.
 */
export function takeIsolationAway(): void {
  const pools = IsolatedRenderer.prototype as unknown as Pools;
  const { poolOf } = pools;
  jest.spyOn(pools, 'poolOf').mockImplementation(function (this: IsolatedRenderer, set, remote) {
    return poolOf.call(this, set, remote);
  });
}
