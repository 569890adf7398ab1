import { act, render, screen } from '@testing-library/react';
import { useGrowing } from './use-growing';

function Drawn({ count }: { count: number }) {
  return <output>{useGrowing(count, 20)}</output>;
}

describe('a list that grows while nothing else is going on', () => {
  let waiting: Array<() => void> = [];
  const idle = () => act(() => waiting.splice(0).forEach((run) => void run()));
  const drawn = () => Number(screen.getByRole('status').textContent);

  beforeEach(() => {
    waiting = [];
    Object.assign(window, {
      requestIdleCallback: (run: () => void) => waiting.push(run),
      cancelIdleCallback: () => {},
    });
  });
  afterEach(() => {
    Reflect.deleteProperty(window, 'requestIdleCallback');
    Reflect.deleteProperty(window, 'cancelIdleCallback');
  });

  it('draws the first screens at once and all rows in the end', () => {
    render(<Drawn count={95} />);
    const seen = [drawn()];
    while (waiting.length > 0) {
      idle();
      seen.push(drawn());
    }
    expect(seen).toEqual([40, 60, 80, 95]);
  });

  it('draws a short list whole and goes on when another page of it arrives', () => {
    const { rerender } = render(<Drawn count={20} />);
    expect(drawn()).toBe(20);
    expect(waiting).toHaveLength(0);
    rerender(<Drawn count={60} />);
    expect(drawn()).toBe(40);
    idle();
    expect(drawn()).toBe(60);
    expect(waiting).toHaveLength(0);
  });
});
