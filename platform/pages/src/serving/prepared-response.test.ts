import { preparedResponses, prepareResponse } from './prepared-response';

const text = 'x'.repeat(10_000);

it('prepared responses stay within the byte limit, and the least recently used are dropped', async () => {
  const prepared = preparedResponses(60_000);
  const prepare = jest.fn(() => prepareResponse(text, 200, {}));
  for (let key = 0; key < 100; key += 1) {
    await prepared.prepare(String(key), prepare);
    await prepared.prepare('0', prepare);
  }
  expect(prepare).toHaveBeenCalledTimes(100);
  await prepared.prepare('98', prepare);
  expect(prepare).toHaveBeenCalledTimes(100);
  await prepared.prepare('50', prepare);
  expect(prepare).toHaveBeenCalledTimes(101);
});

it('concurrent requests prepare a response once, and again after a failure', async () => {
  const prepared = preparedResponses(60_000);
  const fails = jest.fn(() => Promise.reject(new Error('no')));
  await expect(prepared.prepare('a', fails)).rejects.toThrow('no');
  const prepare = jest.fn(() => prepareResponse(text, 200, {}));
  await Promise.all([prepared.prepare('a', prepare), prepared.prepare('a', prepare)]);
  expect(prepare).toHaveBeenCalledTimes(1);
});
