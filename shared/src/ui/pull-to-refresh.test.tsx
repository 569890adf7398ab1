import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { PullToRefresh } from './index';

const touch = (clientY: number) => ({ touches: [{ clientY, clientX: 0 }] });

async function pull(by: number): Promise<void> {
  const list = screen.getByText('rows');
  await act(async () => {
    fireEvent.touchStart(list, touch(100));
    fireEvent.touchMove(list, touch(100 + by / 2));
    fireEvent.touchMove(list, touch(100 + by));
    fireEvent.touchEnd(list, { touches: [] });
  });
}

describe('pulling the top of a list', () => {
  it('refreshes when it was pulled far enough, and shows that', async () => {
    const onRefresh = jest.fn(async () => {});
    render(<PullToRefresh onRefresh={onRefresh}>rows</PullToRefresh>);
    await pull(60);
    expect(onRefresh).not.toHaveBeenCalled();
    await pull(150);
    expect(onRefresh).toHaveBeenCalledTimes(1);
    expect(await screen.findByText('已刷新')).toBeInTheDocument();
  });

  it('leaves the page alone further down, and a finger that goes up', async () => {
    const onRefresh = jest.fn(async () => {});
    render(<PullToRefresh onRefresh={onRefresh}>rows</PullToRefresh>);
    await pull(-150);
    Object.defineProperty(window, 'scrollY', { value: 300, configurable: true });
    await pull(150);
    Object.defineProperty(window, 'scrollY', { value: 0, configurable: true });
    expect(onRefresh).not.toHaveBeenCalled();
  });

  it('has a button that does the same, once at a time, and again after a failure', async () => {
    let fail = (_: Error) => {};
    const onRefresh = jest.fn(() => new Promise<void>((_, reject) => (fail = reject)));
    render(<PullToRefresh onRefresh={onRefresh}>rows</PullToRefresh>);
    const button = screen.getByRole('button', { name: '刷新' });
    await userEvent.click(button);
    expect(button).toBeDisabled();
    await pull(150);
    expect(onRefresh).toHaveBeenCalledTimes(1);
    await act(async () => fail(new Error('offline')));
    await userEvent.click(button);
    expect(onRefresh).toHaveBeenCalledTimes(2);
  });
});
