import type { ReactNode } from 'react';
import { Fields, labelOf } from './fields';
import { t as text, useTexts } from './forms-texts';

export const none = { 'zh-CN': '', en: '' };

interface PartProps {
  title: string;
  disabled?: boolean;
  children: ReactNode;
}

export function Part({ title, disabled, children }: PartProps) {
  return (
    <fieldset className="card" disabled={disabled}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

const fields = [
  { kind: 'time', name: 'starts_at', label: 'period.from', hint: 'period.fromHint' },
  { kind: 'time', name: 'ends_at', label: 'period.until', hint: 'period.untilHint' },
] as const;

export const periodName = (path: string): string | undefined => labelOf(fields, text, path);

export function Period() {
  const { t } = useTexts();
  return (
    <Part title={t('period.title')}>
      <Fields<{ starts_at: string | null; ends_at: string | null }, (typeof fields)[number]['label' | 'hint']>
        of={fields}
        t={t}
      />
    </Part>
  );
}
