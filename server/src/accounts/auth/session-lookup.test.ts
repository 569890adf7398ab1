import { onEveryDatabase } from '../../../test/support/test-app';
import { sha256 } from '../../platform/crypto/tokens';
import { SessionLookup } from './session-lookup';

onEveryDatabase('session lookup', (testApp) => {
  it('a session lookup resolves concurrent tokens to their users', async () => {
    const users = await Promise.all(Array.from({ length: 12 }, () => testApp().user()));
    const lookup = new SessionLookup(testApp().db, 3600);
    const results = await Promise.all([
      ...users.map((user) => lookup.find(sha256(user.token))),
      lookup.find(sha256('unknown token')),
      lookup.find(sha256(users[0]?.token as string)),
    ]);
    expect(results.map((user) => user?.id)).toEqual([...users.map((user) => user.id), undefined, users[0]?.id]);
  });

  it('a session lookup refuses a session from the moment it ends, also in a shared statement', async () => {
    const [signedOut, other] = [await testApp().user(), await testApp().user()];
    const lookup = new SessionLookup(testApp().db, 3600);
    const early = Promise.all([lookup.find(sha256(other.token)), lookup.find(sha256(signedOut.token))]);
    await early;
    const concurrentLookup = lookup.find(sha256(other.token));
    await testApp().db.run('delete from sessions where token_hash = $1', [sha256(signedOut.token)]);
    expect(await lookup.find(sha256(signedOut.token))).toBeUndefined();
    expect((await concurrentLookup)?.id).toBe(other.id);
  });

  it('a session lookup refuses a session that was idle for too long, and records a use at most every five minutes', async () => {
    const { db } = testApp();
    const user = await testApp().user();
    const hash = sha256(user.token);
    const seen = async (ago: string) => {
      await db.run('update sessions set seen_at = now() - $2::interval where token_hash = $1', [hash, ago]);
      const { seen_at } = await db.one<{ seen_at: Date }>('select seen_at from sessions where token_hash = $1', [hash]);
      const writes = jest.spyOn(db, 'run');
      const user = await new SessionLookup(db, 3600).find(hash);
      await Promise.all(writes.mock.results.map((result) => result.value));
      const count = writes.mock.calls.length;
      writes.mockRestore();
      const after = await db.one<{ seen_at: Date }>('select seen_at from sessions where token_hash = $1', [hash]);
      return { isKnown: Boolean(user), writes: count, isRecorded: after.seen_at > seen_at };
    };
    expect(await seen('4 minutes')).toEqual({ isKnown: true, writes: 0, isRecorded: false });
    expect(await seen('6 minutes')).toEqual({ isKnown: true, writes: 1, isRecorded: true });
    expect(await seen('61 minutes')).toEqual({ isKnown: false, writes: 0, isRecorded: false });
  });
});
