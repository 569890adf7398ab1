import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Activity, type ActivityProps, useState } from 'react';
import { get, useServerTimeOffset } from '../http';
import { setServerClock, stubNetwork } from '../testing';
import {
  Carousel,
  CopyButton,
  Countdown,
  ErrorState,
  LoadMore,
  notify,
  Picture,
  SafeHtml,
  Stepper,
  Tabs,
  toast,
} from './index';

function Quantity() {
  const [value, setValue] = useState(2);
  return <Stepper label="数量" min={1} max={5} value={value} onChange={setValue} />;
}

it.each([
  ['99', 5],
  ['', 2],
  ['3,9', 3],
])('Stepper of 2 reads %j on blur as %d', async (text, value) => {
  render(<Quantity />);
  const input = screen.getByRole('spinbutton', { name: '数量' });
  await userEvent.clear(input);
  await userEvent.paste(text);
  expect(input).toHaveAttribute('aria-valuenow', '2');
  await userEvent.tab();
  expect(input).toHaveValue(String(value));
});

it('Stepper stops at its bounds with buttons and arrow keys', async () => {
  render(<Quantity />);
  await userEvent.click(screen.getByRole('button', { name: '减少数量' }));
  expect(screen.getByRole('button', { name: '减少数量' })).toBeDisabled();
  await userEvent.click(screen.getByRole('spinbutton'));
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}');
  expect(screen.getByRole('spinbutton')).toHaveAttribute('aria-valuenow', '5');
});

describe('Picture', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const fail = () => {
    fireEvent.error(screen.getByRole('img', { name: 'Game' }));
    act(() => jest.advanceTimersByTime(2000));
  };

  it('Picture tries three times, then shows the error image until it has another address', () => {
    const { container, rerender } = render(<Picture src="/missing.png" alt="Game" width={80} height={80} />);
    for (let attempt = 1; attempt <= 3; attempt += 1) fail();
    expect(container.querySelector('img')).not.toBeInTheDocument();
    expect(screen.getByRole('img', { name: 'Game 图片加载失败' })).toBeInTheDocument();
    rerender(<Picture src="/b.png" alt="Game" width={80} height={80} />);
    expect(screen.getByRole('img', { name: 'Game' })).toHaveAttribute('src', '/b.png');
  });

  it('Picture shows an image that loads at the third attempt', () => {
    const { container } = render(<Picture src="/late.png" alt="Game" width={80} height={80} />);
    fail();
    fail();
    fireEvent.load(screen.getByRole('img', { name: 'Game' }));
    expect(container.firstChild).toHaveClass('is-loaded');
  });
});

describe('Picture, lazily', () => {
  const observers: Array<{ margin: string; see: () => void }> = [];
  const original = window.IntersectionObserver;
  beforeEach(() => {
    observers.length = 0;
    window.IntersectionObserver = class {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        observers.push({
          margin: options?.rootMargin ?? '',
          see: () => callback([{ isIntersecting: true } as IntersectionObserverEntry], this as never),
        });
      }
      observe() {}
      disconnect() {}
    } as unknown as typeof IntersectionObserver;
  });
  afterEach(() => {
    window.IntersectionObserver = original;
  });

  it('a lazy Picture loads within 1.3 windows, beside and below', () => {
    render(<Picture src="/lazy-1.webp" alt="Lazy" width={10} height={10} />);
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
    expect(observers.map(({ margin }) => margin)).toEqual(['0px 30% 30% 30%']);
    act(() => observers[0]?.see());
    expect(screen.getByRole('img', { name: 'Lazy' })).toHaveAttribute('src', '/lazy-1.webp');
  });

  it('a lazy Picture keeps the last 200 addresses, which appear at once', () => {
    const show = (src: string) => {
      const { unmount } = render(<Picture src={src} alt="P" width={10} height={10} lazy={false} />);
      act(() => void fireEvent.load(screen.getByRole('img')));
      unmount();
    };
    for (let index = 0; index <= 200; index += 1) show(`/kept-${index}.webp`);
    const { unmount } = render(<Picture src="/kept-1.webp" alt="Kept" width={10} height={10} />);
    expect(screen.getByRole('img', { name: 'Kept' })).toBeInTheDocument();
    unmount();
    render(<Picture src="/kept-0.webp" alt="Forgotten" width={10} height={10} />);
    expect(screen.queryByRole('img', { name: 'Forgotten' })).not.toBeInTheDocument();
  });
});

describe('toast and notify', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('the live region of toasts is in the document before the first message, so that it is announced', async () => {
    document.querySelector('[data-ui-live="toast"]')?.remove();
    await jest.isolateModulesAsync(async () => void (await import('./toast')));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });

  it.each([
    ['a toast', toast.success, 2_000, 'status'],
    ['a notice', notify.danger, 3_000, 'alert'],
  ])('shows %s and announces it for its time', (_, show, milliseconds, role) => {
    show('Copied');
    jest.advanceTimersByTime(milliseconds - 1);
    expect(screen.getByRole(role)).toHaveTextContent('Copied');
    jest.advanceTimersByTime(1);
    expect(screen.queryByText('Copied')).not.toBeInTheDocument();
  });

  it('keeps a loading toast until it is closed', () => {
    const close = toast.loading('Authorising');
    jest.advanceTimersByTime(60_000);
    expect(screen.getByText('Authorising')).toBeInTheDocument();
    close();
    expect(screen.queryByText('Authorising')).not.toBeInTheDocument();
  });

  it('replaces one toast with another', () => {
    toast.success('One');
    jest.advanceTimersByTime(1500);
    toast.error('Two');
    expect(screen.queryByText('One')).not.toBeInTheDocument();
    jest.advanceTimersByTime(1500);
    expect(screen.getByText('Two')).toBeInTheDocument();
    jest.advanceTimersByTime(500);
  });
});

it('SafeHtml strips scripts, handlers, frames, forms and script addresses', async () => {
  const html = `<h2>Notes</h2><script>window.hacked = 1</script><p onclick="x()" style="color:red">Text <img src="/a.png" onerror="x()" alt="A">
    <a href="javascript:x()">bad</a> <a href="https://example.com" target="_blank">good</a></p><iframe src="/"></iframe><form><input></form><svg><script>1</script></svg>`;
  const { container } = render(<SafeHtml html={html} />);
  // The sanitiser has not loaded yet.
  expect(container.querySelector('[aria-busy="true"]')).not.toBeNull();
  expect(await screen.findByRole('heading', { name: 'Notes' })).toBeInTheDocument();
  expect(container.querySelector('[aria-busy]')).toBeNull();
  expect(container.querySelector('script, iframe, form, input, svg, [onclick], [onerror], [style]')).toBeNull();
  expect(screen.getByText('bad')).not.toHaveAttribute('href');
  expect(screen.getByRole('link', { name: 'good' })).toHaveAttribute('rel', 'noopener noreferrer');
});

it('Tabs move the choice with the arrow keys, wrapping at the ends', async () => {
  const onChange = jest.fn();
  const items = [
    { key: 'all', label: 'All' },
    { key: 'paid', label: 'Paid', count: 3 },
  ];
  render(<Tabs label="Orders" items={items} value="all" onChange={onChange} />);
  await userEvent.tab();
  expect(screen.getByRole('tab', { name: 'All', selected: true })).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(onChange).toHaveBeenCalledWith('paid');
});

it('ErrorState shows the server’s message, not that of a thrown Error', async () => {
  const onRetry = jest.fn();
  const { rerender } = render(<ErrorState error={new TypeError('x is undefined')} onRetry={onRetry} />);
  expect(screen.getByRole('alert')).not.toHaveTextContent('undefined');
  rerender(<ErrorState error={{ code: 42901, message: '请求太频繁' }} onRetry={onRetry} />);
  expect(screen.getByRole('alert')).toHaveTextContent('请求太频繁');
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(onRetry).toHaveBeenCalledWith();
});

it('LoadMore has a button to load, a retry after a failure, and an end', async () => {
  const list = { hasMore: true, isLoadingMore: false, error: null, loadMore: jest.fn() };
  const { rerender } = render(<LoadMore list={list} />);
  await userEvent.click(screen.getByRole('button', { name: '加载更多' }));
  rerender(<LoadMore list={{ ...list, error: new Error() }} />);
  await userEvent.click(screen.getByRole('button', { name: '重试' }));
  expect(list.loadMore).toHaveBeenCalledTimes(2);
  rerender(<LoadMore list={{ ...list, hasMore: false }} />);
  expect(screen.getByText('没有更多了')).toBeInTheDocument();
});

it('Carousel shows the next slide by its button, and the first one after the last', async () => {
  render(<Carousel items={['one', 'two']} renderItem={(item) => item} label="News" />);
  const shown = () => screen.getAllByRole('group', { hidden: true }).findIndex((slide) => !slide.hasAttribute('inert'));
  await userEvent.click(screen.getByRole('button', { name: '下一张' }));
  expect(shown()).toBe(1);
  await userEvent.click(screen.getByRole('button', { name: '下一张' }));
  expect(shown()).toBe(0);
});

it('CopyButton copies and confirms in place for two seconds, without covering the page', async () => {
  jest.useFakeTimers();
  const writeText = jest.fn(async () => {});
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
  render(<CopyButton text="PWD-1" label="复制卡密" />);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: '复制卡密' })));
  expect(writeText).toHaveBeenCalledWith('PWD-1');
  expect(screen.getByRole('button', { name: '已复制' })).toBeVisible();
  expect(screen.getAllByRole('status').filter(({ textContent }) => textContent === '已复制')).toHaveLength(1);
  expect(document.querySelector('.ui-toast')).toBeNull();
  await act(async () => jest.advanceTimersByTime(2000));
  expect(screen.getByRole('button', { name: '复制卡密' })).toBeVisible();
  jest.useRealTimers();
});

describe('Countdown', () => {
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
});
