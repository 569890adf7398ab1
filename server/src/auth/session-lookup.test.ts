import { onEveryDatabase } from '../../test/support/test-app';
import { sha256 } from '../crypto/tokens';
import { SessionLookup } from './session-lookup';

onEveryDatabase('a session lookup', (testApp) => {
  it('resolves concurrent tokens to their users with fewer statements than tokens', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => testApp().person()));
    const asked = jest.spyOn(testApp().db, 'rows');
    const lookup = new SessionLookup(testApp().db);
    const found = await Promise.all([
      ...people.map((one) => lookup.find(sha256(one.token))),
      lookup.find(sha256('unknown token')),
      lookup.find(sha256(people[0]?.token as string)),
    ]);
    expect(found.map((one) => one?.id)).toEqual([...people.map((one) => one.id), undefined, people[0]?.id]);
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
  });

  it('refuses a session from the moment it ends, also in a shared statement', async () => {
    const [gone, other] = [await testApp().person(), await testApp().person()];
    const lookup = new SessionLookup(testApp().db);
    const early = Promise.all([lookup.find(sha256(other.token)), lookup.find(sha256(gone.token))]);
    await early;
    const crowd = lookup.find(sha256(other.token));
    await testApp().db.run('delete from sessions where token_hash = $1', [sha256(gone.token)]);
    expect(await lookup.find(sha256(gone.token))).toBeUndefined();
    expect((await crowd)?.id).toBe(other.id);
  });

  it('works again after a failed statement', async () => {
    const person = await testApp().person();
    const lookup = new SessionLookup(testApp().db);
    const broken = jest.spyOn(testApp().db, 'rows').mockRejectedValueOnce(new Error('gone'));
    await expect(lookup.find(sha256(person.token))).rejects.toThrow('gone');
    broken.mockRestore();
    expect((await lookup.find(sha256(person.token)))?.id).toBe(person.id);
  });
});
