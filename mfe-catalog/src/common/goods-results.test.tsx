import { act, render } from '@testing-library/react';
import { useIncrementalRender } from './goods-results';

function List({ count }: { count: number }) {
  const { rendered, end } = useIncrementalRender(count);
  return (
    <>
      <output>{rendered}</output>
      <div ref={end} />
    </>
  );
}

describe('useIncrementalRender', () => {
  let watching: Array<(near: boolean) => void> = [];
  const margins: unknown[] = [];
  const scrollTo = (near: boolean) => act(() => watching.forEach((notify) => void notify(near)));
  const rendered = () => Number(document.querySelector('output')?.textContent);

  beforeEach(() => {
    watching = [];
    window.IntersectionObserver = class {
      notify: (near: boolean) => void;
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        margins.push(options?.rootMargin);
        this.notify = (isIntersecting) => callback([{ isIntersecting } as IntersectionObserverEntry], this as never);
      }
      observe() {
        watching.push(this.notify);
      }
      disconnect() {
        watching = watching.filter((callback) => callback !== this.notify);
      }
    } as unknown as typeof IntersectionObserver;
  });
  afterEach(() => Reflect.deleteProperty(window, 'IntersectionObserver'));

  it.each([
    ['a desktop', 'one step', [20, 40, 60, 80, 95]],
    ['a phone', 'ten rows', [10, 20, 40, 60, 80, 95]],
  ])(
    'renders on %s %s first and another step each time the end comes near, until all rows are rendered',
    (device, _, steps) => {
      jest.spyOn(window, 'matchMedia').mockReturnValue({ matches: device === 'a desktop' } as MediaQueryList);
      render(<List count={95} />);
      scrollTo(false);
      const seen = [rendered()];
      while (watching.length > 0 && seen.length < 9) {
        scrollTo(true);
        seen.push(rendered());
      }
      expect(seen).toEqual(steps);
      expect(margins).toContain('0px 0px 1200px');
    },
  );

  it('renders a short list whole and continues when another page arrives', () => {
    const { rerender } = render(<List count={10} />);
    expect(rendered()).toBe(10);
    expect(watching).toHaveLength(0);
    rerender(<List count={20} />);
    expect(rendered()).toBe(10);
    scrollTo(true);
    expect(rendered()).toBe(20);
    expect(watching).toHaveLength(0);
  });

  it('renders all rows in a browser without IntersectionObserver', () => {
    Reflect.deleteProperty(window, 'IntersectionObserver');
    render(<List count={95} />);
    expect(rendered()).toBe(95);
  });
});
