import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Button, confirm, RemoteName, Sheet } from './index';

function Page({ onCard = () => {} }: { onCard?: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    // biome-ignore lint/a11y: a stand-in for a card that can be clicked
    <div onClick={onCard}>
      <Button onClick={() => setOpen(true)}>Coupons</Button>
      <Sheet open={open} onClose={() => setOpen(false)} title="Choose a coupon" footer={<Button>Use it</Button>}>
        <input aria-label="Code" />
      </Sheet>
    </div>
  );
}

it('a sheet carries the name of the remote that renders it, so that the remote’s styles apply', () => {
  render(
    <RemoteName value="orders">
      <Sheet open onClose={() => {}} title="Of a page">
        text
      </Sheet>
    </RemoteName>,
  );
  expect(screen.getByRole('dialog').closest('[data-remote="orders"]')).not.toBeNull();
});

it('a sheet takes the focus, keeps it inside and restores it when closed', async () => {
  const user = userEvent.setup();
  render(<Page />);
  await user.click(screen.getByRole('button', { name: 'Coupons' }));
  const dialog = screen.getByRole('dialog', { name: 'Choose a coupon' });
  expect(dialog).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('button', { name: '关闭' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('textbox', { name: 'Code' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('button', { name: 'Use it' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('button', { name: '关闭' })).toHaveFocus();
  await user.tab({ shift: true });
  expect(screen.getByRole('button', { name: 'Use it' })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Coupons' })).toHaveFocus();
});

it('a sheet makes the page behind it inert while open', async () => {
  const user = userEvent.setup();
  const { container } = render(<Page />);
  await user.click(screen.getByRole('button', { name: 'Coupons' }));
  await waitFor(() => expect(container).toHaveAttribute('inert'));
  expect(document.documentElement).toHaveClass('ui-locked');
  await user.click(screen.getByRole('button', { name: '关闭' }));
  expect(container).not.toHaveAttribute('inert');
  expect(document.documentElement).not.toHaveClass('ui-locked');
});

it.each([
  ['stays above a keyboard that iOS lays over the page', { height: 500, offsetTop: 0, scale: 1 }, '268px'],
  ['counts the part that is scrolled away', { height: 500, offsetTop: 100, scale: 1 }, '168px'],
  ['keeps its place while the page is zoomed', { height: 500, offsetTop: 0, scale: 2 }, '0px'],
])('a sheet %s', (_, visible, covered) => {
  const visualViewport = Object.assign(new EventTarget(), visible);
  Object.defineProperty(window, 'visualViewport', { value: visualViewport, configurable: true });
  const scrollIntoView = jest.fn();
  HTMLElement.prototype.scrollIntoView = scrollIntoView;
  const { unmount } = render(
    <Sheet open onClose={() => {}} title="Refund">
      <input data-autofocus="" aria-label="Reason" />
    </Sheet>,
  );
  visualViewport.dispatchEvent(new Event('resize'));
  expect(document.documentElement.style.getPropertyValue('--ui-keyboard')).toBe(covered);
  expect(scrollIntoView.mock.contexts).toEqual(covered === '0px' ? [] : [screen.getByLabelText('Reason')]);
  unmount();
  Reflect.deleteProperty(window, 'visualViewport');
});

it('a click in a sheet does not click the card that opened it', async () => {
  const onCard = jest.fn();
  const user = userEvent.setup();
  render(<Page onCard={onCard} />);
  await user.click(screen.getByRole('button', { name: 'Coupons' }));
  onCard.mockClear();
  await user.click(screen.getByRole('button', { name: 'Use it' }));
  expect(onCard).not.toHaveBeenCalled();
});

// In an object: an async function would wait for the answer itself.
const open = async (): Promise<{ answer: Promise<boolean> }> => {
  let answer!: Promise<boolean>;
  await act(async () => {
    answer = confirm({
      title: 'Delete the order?',
      content: 'It cannot be undone',
      confirmText: 'Delete',
      danger: true,
    });
  });
  return { answer };
};

it('confirm() resolves to true when confirmed and leaves no elements behind', async () => {
  const { answer } = await open();
  const dialog = screen.getByRole('alertdialog', { name: 'Delete the order?' });
  expect(dialog).toHaveAccessibleDescription('It cannot be undone');
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  await expect(answer).resolves.toBe(true);
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  await waitFor(() => expect(document.querySelectorAll('[data-ui-confirm]')).toHaveLength(0));
});

it('confirm() focuses cancel for a dangerous action, and Escape resolves to false', async () => {
  const { answer } = await open();
  expect(screen.getByRole('button', { name: '取消' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect(answer).resolves.toBe(false);
});
