import { afterFrame } from './after-frame';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('runs once, after the frame and not in it', () => {
  const seen: string[] = [];
  afterFrame(() => seen.push('run'));
  requestAnimationFrame(() => seen.push('frame'));
  jest.advanceTimersByTime(20);
  expect(seen).toEqual(['frame', 'run']);
  jest.advanceTimersByTime(1_000);
  expect(seen).toEqual(['frame', 'run']);
});

it('runs soon when no frame is painted, and not again in a later frame', () => {
  const run = jest.fn();
  let paint: FrameRequestCallback = () => {};
  jest.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => {
    paint = callback;
    return 1;
  });
  afterFrame(run);
  jest.advanceTimersByTime(200);
  expect(run).toHaveBeenCalledTimes(1);
  paint(0);
  jest.runAllTimers();
  expect(run).toHaveBeenCalledTimes(1);
});

it('does not run once it is cancelled, even after the frame', () => {
  const run = jest.fn();
  const early = afterFrame(run);
  early();
  const late = afterFrame(run);
  requestAnimationFrame(late);
  jest.runAllTimers();
  expect(run).not.toHaveBeenCalled();
});
