import './icon.css';
import './choices.css';
import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useId, useRef } from 'react';
import { classNames } from './class-names';

interface TabsProps<K extends string = string> {
  items: Array<{ key: K; label: ReactNode; count?: number }>;
  value: K;
  onChange: (key: K) => void;
  /** Names the whole row for screen readers. */
  label: string;
}

export function Tabs<K extends string>({ items, value, onChange, label }: TabsProps<K>) {
  const row = useRef<HTMLDivElement>(null);
  const index = items.findIndex((item) => item.key === value);
  useEffect(() => {
    const list = row.current;
    const tab = list?.children[index] as HTMLElement | undefined;
    // scrollIntoView would scroll the page as well.
    if (list && tab) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }, [index]);
  /** Arrow keys, Home and End move focus and choice together, as in the ARIA tabs pattern. */
  const moveByKey = (event: KeyboardEvent<HTMLElement>) => {
    const last = items.length - 1;
    const target = {
      ArrowRight: index >= last ? 0 : index + 1,
      ArrowLeft: index <= 0 ? last : index - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (target === undefined || !items[target]) return;
    event.preventDefault();
    onChange(items[target].key);
    (event.currentTarget.children[target] as HTMLElement).focus();
  };
  return (
    <div ref={row} role="tablist" aria-label={label} className="ui-tabs" onKeyDown={moveByKey}>
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          role="tab"
          aria-selected={item.key === value}
          tabIndex={item.key === value ? 0 : -1}
          className="ui-tabs__tab"
          onClick={() => onChange(item.key)}
        >
          <span className="ui-tabs__label">
            {item.label}
            {item.count !== undefined && item.count > 0 && (
              <>
                {' '}
                <span className="ui-tabs__count ui-tone--accent">{item.count}</span>
              </>
            )}
          </span>
        </button>
      ))}
    </div>
  );
}

interface SegmentedProps<V extends string | number = string> {
  options: Array<{ value: V; label: ReactNode }>;
  value: V;
  onChange: (value: V) => void;
  label: string;
  className?: string;
}

export function Segmented<V extends string | number>({
  options,
  value,
  onChange,
  label,
  className,
}: SegmentedProps<V>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classNames('ui-segmented', className)}>
      {options.map((option) => (
        <label key={option.value} className="ui-segmented__option ui-muted">
          <input
            type="radio"
            className="ui-covering-input"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}

interface ChipProps {
  selected: boolean;
  onClick: () => void;
  children: ReactNode;
}

export function Chip({ selected, onClick, children }: ChipProps) {
  return (
    <button type="button" aria-pressed={selected} onClick={onClick} className="ui-chip ui-muted">
      {children}
    </button>
  );
}

interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  disabled?: boolean;
}

export function Switch({ checked, onChange, label, disabled }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      disabled={disabled}
      className="ui-switch"
      onClick={() => onChange(!checked)}
    >
      <span className="ui-switch__track" />
    </button>
  );
}

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

export function Checkbox({ checked, onChange, children }: CheckboxProps) {
  return (
    <label className="ui-checkbox ui-muted">
      <span className="ui-checkbox__box">
        <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
        <svg className="ui-icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5.5 12.5 10 17l8.5-9.5" />
        </svg>
      </span>
      <span className="ui-checkbox__text">{children}</span>
    </label>
  );
}
