/** Remembers from the start of the document what the visitor enters (unsaved-input.ts reads it). */
import { natives } from './natives';

export const controls = 'input, textarea, select, [contenteditable]';
/** Controls that change by a press, without an input event. */
const pressControls = 'form, fieldset, [role="radiogroup"], [role="switch"], .ui-stepper';
const activity = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'input', 'submit'] as const;

export const input = {
  edited: new WeakSet<Element>(),
  /** Per control its text when its form was submitted, and when that was. */
  submitted: new WeakMap<Element, { text: string; at: number }>(),
  pressedPages: new WeakSet<Element>(),
  lastActivity: 0,
};

/** Returns a function that stops it. */
export function watchInput(): () => void {
  input.lastActivity = natives.now();
  const stops = activity.map((type) =>
    natives.listen(document, type, onActivity as (event: Event) => void, { capture: true, passive: true }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

function onActivity({ type, target }: Event): void {
  input.lastActivity = natives.now();
  if (!(target instanceof Element)) return;
  const page = target.closest('[data-remote]');
  if (type === 'input') input.edited.add(target.closest('[contenteditable]') ?? target);
  else if (type === 'pointerdown' && page && target.closest(pressControls)) input.pressedPages.add(page);
  else if (type === 'submit') {
    if (page) input.pressedPages.delete(page);
    for (const control of target.querySelectorAll(controls)) {
      input.submitted.set(control, { text: textOf(control), at: input.lastActivity });
    }
  }
}

export function textOf(control: Element): string {
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
    return String(control.checked);
  }
  return (control as HTMLInputElement).value ?? control.textContent ?? '';
}
