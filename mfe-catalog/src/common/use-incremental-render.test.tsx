import { act, render, screen } from '@testing-library/react';
import { useIncrementalRender } from './use-incremental-render';

function Drawn({ count }: { count: number }) {
  const { drawn, end } = useIncrementalRender(count, 20);
  return (
    <>
      <output>{drawn}</output>
      <div ref={end} />
    </>
  );
}

describe('useIncrementalRender', () => {
  let watching: Array<(near: boolean) => void> = [];
  const margins: unknown[] = [];
  const comes = (near: boolean) => act(() => watching.forEach((tell) => void tell(near)));
  const drawn = () => Number(screen.getByRole('status').textContent);

  beforeEach(() => {
    watching = [];
    window.IntersectionObserver = class {
      tell: (near: boolean) => void;
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        margins.push(options?.rootMargin);
        this.tell = (isIntersecting) => callback([{ isIntersecting } as IntersectionObserverEntry], this as never);
      }
      observe() {
        watching.push(this.tell);
      }
      disconnect() {
        watching = watching.filter((one) => one !== this.tell);
      }
    } as unknown as typeof IntersectionObserver;
  });
  afterEach(() => Reflect.deleteProperty(window, 'IntersectionObserver'));

  it('renders one step first and another each time the end comes near, until all rows are rendered', () => {
    render(<Drawn count={95} />);
    comes(false);
    const seen = [drawn()];
    while (watching.length > 0 && seen.length < 9) {
      comes(true);
      seen.push(drawn());
    }
    expect(seen).toEqual([20, 40, 60, 80, 95]);
    expect(margins).toContain('0px 0px 1200px');
  });

  it('renders a short list whole and continues when another page arrives', () => {
    const { rerender } = render(<Drawn count={20} />);
    expect(drawn()).toBe(20);
    expect(watching).toHaveLength(0);
    rerender(<Drawn count={40} />);
    expect(drawn()).toBe(20);
    comes(true);
    expect(drawn()).toBe(40);
    expect(watching).toHaveLength(0);
  });

  it('renders all rows in a browser without IntersectionObserver', () => {
    Reflect.deleteProperty(window, 'IntersectionObserver');
    render(<Drawn count={95} />);
    expect(drawn()).toBe(95);
  });
});
