import { natives } from './natives';

export const controls = 'input, textarea, select, [contenteditable]';
/** These controls change by a click or a key, without an input event. */
export const clickControls = 'form, fieldset, [role="radiogroup"], [role="switch"], .ui-stepper';
const choiceNames = ['aria-checked', 'aria-pressed', 'aria-selected'];
const activity = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'input', 'submit'] as const;

export const input = {
  edited: new WeakSet<Element>(),
  /** By control, its text and the time when its form was submitted. */
  submitted: new WeakMap<Element, { text: string; at: number }>(),
  clicked: new WeakMap<Element, string>(),
  lastActivity: 0,
};

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
  if (type === 'input') input.edited.add(target.closest('[contenteditable]') ?? target);
  else if (type === 'pointerdown' || type === 'keydown') {
    const control = target.closest(clickControls);
    if (control && !input.clicked.has(control)) input.clicked.set(control, valuesOf(control));
  } else if (type === 'submit') {
    for (const control of target.closest('[data-remote]')?.querySelectorAll(clickControls) ?? []) {
      input.clicked.delete(control);
    }
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

export function valuesOf(control: Element): string {
  const all = [
    control,
    ...control.querySelectorAll([...choiceNames.map((name) => `[${name}]`), controls].join()),
  ] as HTMLInputElement[];
  return all.map((each) => [each.value, each.checked, ...choiceNames.map((name) => each.getAttribute(name))]).join();
}
