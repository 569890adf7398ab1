import { sha256 } from '../crypto/tokens';
import { onEveryDatabase } from '../testing/world';
import { SessionLookup } from './session-lookup';

onEveryDatabase('a session lookup', (world) => {
  it('tells a crowd apart, in fewer statements than there are people', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => world().person()));
    const asked = jest.spyOn(world().db, 'rows');
    const lookup = new SessionLookup(world().db);
    const found = await Promise.all([
      ...people.map((one) => lookup.find(sha256(one.token))),
      lookup.find(sha256('nobody has this token')),
      lookup.find(sha256(people[0]?.token as string)),
    ]);
    expect(found.map((one) => one?.id)).toEqual([...people.map((one) => one.id), undefined, people[0]?.id]);
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockRestore();
  });

  it('refuses from the moment a session is ended, also among those who ask at once', async () => {
    const [gone, other] = [await world().person(), await world().person()];
    const lookup = new SessionLookup(world().db);
    const early = Promise.all([lookup.find(sha256(other.token)), lookup.find(sha256(gone.token))]);
    await early;
    const crowd = lookup.find(sha256(other.token));
    await world().db.run('delete from sessions where token_hash = $1', [sha256(gone.token)]);
    expect(await lookup.find(sha256(gone.token))).toBeUndefined();
    expect((await crowd)?.id).toBe(other.id);
  });

  it('goes on after a statement that failed', async () => {
    const person = await world().person();
    const lookup = new SessionLookup(world().db);
    const broken = jest.spyOn(world().db, 'rows').mockRejectedValueOnce(new Error('gone'));
    await expect(lookup.find(sha256(person.token))).rejects.toThrow('gone');
    broken.mockRestore();
    expect((await lookup.find(sha256(person.token)))?.id).toBe(person.id);
  });
});
