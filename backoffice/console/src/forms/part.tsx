import type { ReactNode } from 'react';

/** The texts of what has not been written yet. */
export const none = { 'zh-CN': '', en: '' };

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="card">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
