import { plainAmount } from '../domain/plain-text';
import { TextField, type TextFieldProps } from './text-field';
import { useField } from './use-field';

/** Digits, one decimal point and a leading minus (docs/product.md#forms). */
function numeric(text: string): string {
  const digits = plainAmount(text)
    .replace(/[^\d.,-]/g, '')
    .replace(/(?!^)-/g, '')
    .replace(/^(-?\d+),$/, '$1.');
  const point = digits.indexOf('.');
  return point < 0 ? digits : digits.slice(0, point + 1) + digits.slice(point + 1).replace(/\./g, '');
}

interface NumberFieldProps extends Omit<TextFieldProps, 'type' | 'filter' | 'inputMode'> {
  min?: number;
  max?: number;
}

export function NumberField({ name, min, max, ...rest }: NumberFieldProps) {
  const field = useField(name);
  const clamp = () => {
    const text = field.value ?? '';
    const value = Number(text);
    if (text === '' || Number.isNaN(value)) return;
    if (min !== undefined && value < min) field.setValue(String(min));
    if (max !== undefined && value > max) field.setValue(String(max));
  };
  return <TextField {...rest} name={name} inputMode="decimal" autoComplete="off" filter={numeric} onBlur={clamp} />;
}
