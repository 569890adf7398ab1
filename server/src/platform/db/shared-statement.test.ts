import { DatabaseBusyError } from './database-busy';
import { SharedStatement } from './shared-statement';

it('a shared statement serves at most 500 calls, rejects calls when too many wait, and works again after a failure', async () => {
  const sizes: number[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const shared = new SharedStatement<number, number>(async (questions) => {
    sizes.push(questions.length);
    if (sizes.length === 1) await ended;
    if (questions.includes(-1)) throw new Error('gone');
    return questions.map((question) => question * 2);
  });
  const calls = Array.from({ length: 1003 }, (_one, question) => shared.find(question));
  const refused = Promise.allSettled(calls.slice(1001));
  expect((await refused).map((result) => result.status === 'rejected' && result.reason)).toEqual([
    expect.any(DatabaseBusyError),
    expect.any(DatabaseBusyError),
  ]);
  end();
  expect(await Promise.all(calls.slice(0, 1001))).toEqual(
    Array.from({ length: 1001 }, (_one, question) => question * 2),
  );
  expect(sizes).toEqual([1, 500, 500]);
  await expect(shared.find(-1)).rejects.toThrow('gone');
  expect(await shared.find(7)).toBe(14);
});
