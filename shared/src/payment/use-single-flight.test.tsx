import { act, renderHook } from '@testing-library/react';
import { StrictMode } from 'react';
import { ApiError } from '../http';
import { useSingleFlight } from './';

function heldAction() {
  const ends: Array<{ resolve: () => void; reject: (error: Error) => void }> = [];
  const action = jest.fn((_name: string) => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })));
  return { action, ends };
}
const pageShown = (persisted: boolean) => {
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
};

it('runs once for two clicks in one frame, and returns the running call to the second', async () => {
  const { action, ends } = heldAction();
  const { result } = renderHook(() => useSingleFlight(action), { wrapper: StrictMode });
  let calls: Promise<void>[] = [];
  act(() => {
    calls = [result.current.run('first'), result.current.run('second')];
  });
  expect(action.mock.calls).toEqual([['first']]);
  expect(calls[1]).toBe(calls[0]);
  expect(result.current.isPending).toBe(true);
  await act(async () => ends[0]?.resolve());
  expect(result.current.isPending).toBe(false);
});

it.each([
  ['a refusal of the server', new ApiError({ kind: 'business', code: 1, status: 200, message: 'refused' }), undefined],
  ['an error, which the caller gets', new Error('broken'), 'broken'],
])('can run again after %s', async (_, error, message) => {
  const { action, ends } = heldAction();
  const { result } = renderHook(() => useSingleFlight(action));
  let ended: Promise<unknown> = Promise.resolve();
  act(() => {
    ended = result.current.run('first').catch((error: Error) => error.message);
  });
  await act(async () => ends[0]?.reject(error));
  expect(await ended).toBe(message);
  expect(result.current.isPending).toBe(false);
  act(() => void result.current.run('second'));
  expect(action).toHaveBeenCalledTimes(2);
});

it('is free again when the action throws synchronously', async () => {
  const { result } = renderHook(() =>
    useSingleFlight(() => {
      throw new Error('broken');
    }),
  );
  await act(() => expect(result.current.run()).rejects.toThrow('broken'));
  expect(result.current.isPending).toBe(false);
});

it('runs the action of the latest render', async () => {
  const seen: number[] = [];
  const { result, rerender } = renderHook(
    ({ amount }) =>
      useSingleFlight(async () => {
        seen.push(amount);
      }),
    { initialProps: { amount: 50 } },
  );
  rerender({ amount: 100 });
  await act(() => result.current.run());
  expect(seen).toEqual([100]);
});

it('is free again on a page from the back/forward cache, and the old call does not end the new one', async () => {
  const { action, ends } = heldAction();
  const { result } = renderHook(() => useSingleFlight(action));
  act(() => void result.current.run('left for the cashier'));
  act(() => pageShown(false));
  expect(result.current.isPending).toBe(true);
  act(() => pageShown(true));
  expect(result.current.isPending).toBe(false);
  act(() => void result.current.run('again'));
  await act(async () => ends[0]?.resolve());
  expect(result.current.isPending).toBe(true);
  expect(action).toHaveBeenCalledTimes(2);
});
