import { DatabaseBusyError } from './database-busy';
import { SharedStatement } from './shared-statement';

it('a shared statement serves at most 500 calls and rejects calls when too many wait', async () => {
  const sizes: number[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const shared = new SharedStatement<number, number>(async (questions) => {
    sizes.push(questions.length);
    if (sizes.length === 1) await ended;
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
  expect(await shared.find(7)).toBe(14);
});
