import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Stepper } from './stepper';

function Quantity({ onChange }: { onChange?: (value: number) => void }) {
  const [value, setValue] = useState(2);
  return (
    <Stepper
      label="数量"
      min={1}
      max={5}
      value={value}
      onChange={(next) => {
        setValue(next);
        onChange?.(next);
      }}
    />
  );
}

describe('Stepper', () => {
  it('clamps what is typed when the field is left', async () => {
    const onChange = jest.fn();
    render(<Quantity onChange={onChange} />);
    const input = screen.getByRole('spinbutton', { name: '数量' });
    await userEvent.clear(input);
    await userEvent.type(input, '99');
    expect(onChange).not.toHaveBeenCalled();
    await userEvent.tab();
    expect(onChange).toHaveBeenCalledWith(5);
    expect(input).toHaveValue('5');
  });

  it('keeps the old value when the field is left empty', async () => {
    render(<Quantity />);
    const input = screen.getByRole('spinbutton');
    await userEvent.clear(input);
    await userEvent.tab();
    expect(input).toHaveValue('2');
  });

  it('stops at its bounds with buttons and arrow keys', async () => {
    render(<Quantity />);
    await userEvent.click(screen.getByRole('button', { name: '减少数量' }));
    expect(screen.getByRole('button', { name: '减少数量' })).toBeDisabled();
    await userEvent.click(screen.getByRole('spinbutton'));
    await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(screen.getByRole('spinbutton')).toHaveAttribute('aria-valuenow', '5');
  });
});
