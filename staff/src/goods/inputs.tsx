import type { StaffGoods } from '@shop/server/wire';
import { type ReactNode, useState } from 'react';
import { Area, Field } from '../parts';

export interface PartProps {
  draft: StaffGoods;
  set(change: Partial<StaffGoods>): void;
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="card part">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface NumberFieldProps {
  label: string;
  hint?: string;
  value: number | null;
  min: number;
  /** null: nothing is written there. */
  onValue(value: number | null): void;
}

export const NumberField = ({ value, onValue, ...field }: NumberFieldProps) => (
  <Field
    type="number"
    inputMode="numeric"
    step={1}
    value={value ?? ''}
    onValue={(text) => onValue(text === '' ? null : Math.trunc(Number(text)))}
    {...field}
  />
);

/** Text of which a list is made when somebody has finished writing it; what is typed stays as it is meanwhile. */
export function Lines({
  label,
  hint,
  value,
  onValue,
}: {
  label: string;
  hint: string;
  value: string;
  onValue(text: string): void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Area
      label={label}
      hint={hint}
      rows={2}
      value={typed ?? value}
      onValue={(text) => {
        setTyped(text);
        onValue(text);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
