import { GateQueue } from './queue';

function entered(queue: GateQueue, name: string, log: string[]) {
  let end = () => {};
  const leaving = new AbortController();
  const work = () => {
    log.push(`${name} begins`);
    return new Promise<string>((resolve) => {
      end = () => resolve(name);
    });
  };
  const onPlace = (place: number) => log.push(`${name} ${place}`);
  const done = queue.run(work, { name, onPlace, signal: leaving.signal });
  done.catch(() => {});
  return { done, end: () => end(), leave: () => leaving.abort() };
}

it('the gate queue runs one check at a time in order and reports each change of their place to waiting checks', async () => {
  const [queue, log] = [new GateQueue(), [] as string[]];
  const [one, two, three] = ['one', 'two', 'three'].map((name) => entered(queue, name, log));
  expect(log).toEqual(['one begins', 'two 2', 'three 3']);
  expect(['one', 'three', 'four'].map((name) => queue.placeOf(name))).toEqual([1, 3, 0]);
  one?.end();
  expect(await one?.done).toBe('one');
  expect(log.slice(3)).toEqual(['three 2', 'two begins']);
  two?.end();
  await two?.done;
  three?.end();
  expect(await three?.done).toBe('three');
});

it('the gate queue lets a waiting check leave, but not the running one', async () => {
  const [queue, log] = [new GateQueue(), [] as string[]];
  const [one, two, three] = ['one', 'two', 'three'].map((name) => entered(queue, name, log));
  two?.leave();
  await expect(two?.done).rejects.toThrow(/left the queue/);
  expect(log.slice(3)).toEqual(['three 2']);
  one?.leave();
  one?.end();
  expect(await one?.done).toBe('one');
  three?.end();
  expect(await three?.done).toBe('three');
  expect(log).not.toContain('two begins');
});

it('the gate queue continues after a check that fails', async () => {
  const queue = new GateQueue();
  const failing = queue.run(() => Promise.reject(new Error('broken')), { name: 'catalog' });
  const next = queue.run(async () => 'next', { name: 'orders' });
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
  expect(queue.placeOf('catalog')).toBe(0);
});

it('the gate queue refuses a check at once when it is full', async () => {
  const [queue, log] = [new GateQueue(2), [] as string[]];
  const [one, two] = ['one', 'two', 'three'].map((name) => entered(queue, name, log));
  await expect(queue.run(async () => {}, { name: 'catalog' })).rejects.toThrow('2 releases wait for the gate');
  one?.end();
  await one?.done;
  expect(() => queue.requireRoom()).not.toThrow();
  two?.leave();
});
