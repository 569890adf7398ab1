/** Keeps typed text across a reload of this tab. Passwords and one-time codes are never stored. */

import { natives } from './natives';
import { input, isCheckable, textOf } from './unsaved-input';

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const fields = 'input, textarea, select';
const secret = /password|one-time-code|cc-/;
const storageKey = 'keptInput';
export interface Kept {
  path: string;
  /** Maps the key of a field to its text. */
  texts: Record<string, string>;
}

/** Maps a key, which is the same after a reload, to each field of the document that may be kept. */
export function fieldsByKey(): Map<string, Field> {
  const found = new Map<string, Field>();
  for (const field of document.querySelectorAll<Field>(fields)) {
    const name = [field.type, field.name, field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent].join(' ');
    let key = name;
    for (let number = 2; found.has(key); number += 1) key = `${name} ${number}`;
    if (!secret.test(`${field.type} ${field.autocomplete}`) && field.type !== 'file') found.set(key, field);
  }
  return found;
}

export const keptInput = (): string => natives.sessionStorage.read(storageKey);
export const dropKeptInput = (): boolean => natives.sessionStorage.write(storageKey, '');

export function keepInput(): void {
  const edited = [...fieldsByKey()].filter(([, field]) => input.edited.has(field));
  const texts = Object.fromEntries(edited.map(([key, field]) => [key, textOf(field)]));
  natives.sessionStorage.write(storageKey, JSON.stringify({ path: window.location.pathname, texts } satisfies Kept));
}

/** Sets a field as a user does, so that React notices it. `text` of a box or a radio button is "true" or "false". */
export function typeInto(field: Field, text: string): void {
  if (isCheckable(field)) {
    field.click();
    return;
  }
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
