import { act, render, renderHook, screen } from '@testing-library/react';
import { Activity, type ActivityProps } from 'react';
import { get, useServerTimeOffset } from '../http';
import { setServerClock, stubNetwork } from '../testing';
import { Countdown } from './countdown';

const until = '2026-01-01T00:01:05Z';
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('requests the server’s time when no response has provided it', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const request = jest.spyOn(globalThis, 'fetch').mockResolvedValue({ headers: new Headers({ date }) } as Response);
  const { result } = renderHook(useServerTimeOffset);
  await act(() => jest.advanceTimersByTimeAsync(0));
  expect(request).toHaveBeenCalledTimes(1);
  expect(result.current).toBeGreaterThan(3_590_000);
});

it.each([
  ['an hour ahead', '2026-01-01T01:00:00Z'],
  ['an hour behind', '2025-12-31T23:00:00Z'],
])('follows the server’s clock and reports the end once on a device that is %s', async (_, device) => {
  jest.setSystemTime(Date.parse(device));
  setServerClock(Date.parse('2026-01-01T00:00:00Z') - Date.parse(device));
  stubNetwork({ 'GET /api/front/app/config': null });
  const onEnd = jest.fn();
  const page = (mode: ActivityProps['mode']) => (
    <Activity mode={mode}>
      <Countdown until={until} onEnd={onEnd} />
    </Activity>
  );
  const { rerender } = render(page('visible'));
  await act(() => get('/api/front/app/config'));
  onEnd.mockClear(); // The clock of the last test may have ended it.
  expect(screen.getByRole('timer')).toHaveTextContent(/^01:05$/);
  expect(screen.getByRole('timer')).toHaveAttribute('translate', 'no');
  await act(() => jest.advanceTimersByTimeAsync(64_000));
  expect(screen.getByRole('timer')).toHaveTextContent(/^00:01$/);
  expect(onEnd).not.toHaveBeenCalled();
  await act(() => jest.advanceTimersByTimeAsync(5_000));
  expect(screen.getByRole('timer')).toHaveTextContent(/^00:00$/);
  for (const mode of ['hidden', 'visible'] as const) rerender(page(mode));
  expect(onEnd).toHaveBeenCalledTimes(1);
});
