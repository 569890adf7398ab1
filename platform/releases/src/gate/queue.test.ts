import { GateQueue } from './queue';

const about = { name: 'catalog', by: 'ann' };

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
  const done = queue.run(work, { about: { name, by: 'ann' }, onPlace, signal: leaving.signal });
  done.catch(() => {});
  return { done, end: () => end(), leave: () => leaving.abort() };
}

it('the gate queue runs one check at a time in order and reports each change of their place to waiting checks', async () => {
  const [queue, log] = [new GateQueue(), [] as string[]];
  const [one, two, three] = ['one', 'two', 'three'].map((name) => entered(queue, name, log));
  expect(log).toEqual(['one begins', 'two 2', 'three 3']);
  expect(queue.checkOf('one')).toEqual({ by: 'ann', place: 1, message: 'one is being checked' });
  expect(queue.checkOf('three')).toMatchObject({ place: 3, message: 'three: waiting for the gate, place 3 in line' });
  expect(queue.checkOf('four')).toBeNull();
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

it('the gate queue shows the message of the running check, and continues after one that fails', async () => {
  const queue = new GateQueue();
  let fail = (_error: Error) => {};
  const failing = queue.run(
    (report) => {
      report('opens its pages');
      return new Promise<void>((_resolve, reject) => {
        fail = reject;
      });
    },
    { about },
  );
  const next = queue.run(async () => 'next', { about: { ...about, name: 'orders' } });
  expect(queue.checkOf('catalog')).toEqual({ by: 'ann', place: 1, message: 'catalog: opens its pages' });
  fail(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
  expect(queue.checkOf('catalog')).toBeNull();
});

it('the gate queue refuses a check at once when it is full', async () => {
  const [queue, log] = [new GateQueue(2), [] as string[]];
  const [one, two] = ['one', 'two', 'three'].map((name) => entered(queue, name, log));
  await expect(queue.run(async () => {}, { about })).rejects.toThrow('2 releases wait for the gate of this server');
  one?.end();
  await one?.done;
  expect(() => queue.requireRoom()).not.toThrow();
  two?.leave();
});
