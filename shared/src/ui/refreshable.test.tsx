import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Refreshable } from './index';

it('refreshes once at a time, and again after a failure', async () => {
  const calls: Array<{ resolve: () => void; reject: (error: Error) => void }> = [];
  const onRefresh = () => new Promise<void>((resolve, reject) => void calls.push({ resolve, reject }));
  render(<Refreshable onRefresh={onRefresh}>rows</Refreshable>);
  const button = screen.getByRole('button', { name: '刷新' });
  await userEvent.click(button);
  expect(button).toBeDisabled();
  expect(screen.getByText('正在刷新')).toHaveRole('status');
  await act(async () => calls[0]?.reject(new Error('offline')));
  expect(screen.queryByText('正在刷新')).not.toBeInTheDocument();
  await userEvent.click(button);
  expect(calls).toHaveLength(2);
  await act(async () => calls[1]?.resolve());
  expect(screen.getByText('已刷新')).toHaveRole('status');
});
