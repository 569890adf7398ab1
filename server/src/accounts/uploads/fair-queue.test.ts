import { FairQueue } from './fair-queue';

it('the fair queue alternates between keys, runs one job at a time, and refuses jobs above the limit of a key', async () => {
  const queue = new FairQueue();
  const done: string[] = [];
  let running = 0;
  const work = (name: string) => async () => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
    done.push(name);
    if (name === 'a2') throw new Error('broken');
    return name;
  };
  const added = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => queue.add(name.charAt(0), 4, work(name)));
  expect(queue.add('a', 3, work('a5'))).toBeUndefined();
  const results = await Promise.allSettled(added);
  expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', ...Array(4).fill('fulfilled')]);
});
