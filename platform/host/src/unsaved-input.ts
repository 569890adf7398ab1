import { natives } from './natives';

const controls = 'input, textarea, select, [contenteditable]';
/** These controls change by a click or a key, without an input event. */
const clickControls = 'form, fieldset, [role="radiogroup"], [role="switch"], .ui-stepper';
const choiceNames = ['aria-checked', 'aria-pressed', 'aria-selected'];
const activity = ['pointerdown', 'keydown', 'wheel', 'touchstart', 'input', 'submit'] as const;

export const input = {
  edited: new WeakSet<Element>(),
  /** By control, its text and the time when its form was submitted. */
  submitted: new WeakMap<Element, { text: string; at: number }>(),
  clicked: new WeakMap<Element, string>(),
  lastActivity: 0,
};

/** Calls that change something on the server. Times are values of `Date.now()`, 0 before the first call. */
let changingCalls = { pending: 0, lastEnd: 0, lastSuccess: 0 };

/** The HTTP client keeps `calls` up to date. */
export function watchInput(calls: typeof changingCalls): void {
  changingCalls = calls;
  input.lastActivity = natives.now();
  for (const type of activity) {
    natives.listen(document, type, onActivity as (event: Event) => void, { capture: true, passive: true });
  }
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

export const isCheckable = (control: Element): control is HTMLInputElement =>
  control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type);

export function textOf(control: Element): string {
  if (isCheckable(control)) return String(control.checked);
  return (control as HTMLInputElement).value ?? control.textContent ?? '';
}

function valuesOf(control: Element): string {
  const all = [
    control,
    ...control.querySelectorAll([...choiceNames.map((name) => `[${name}]`), controls].join()),
  ] as HTMLInputElement[];
  return all.map((each) => [each.value, each.checked, ...choiceNames.map((name) => each.getAttribute(name))]).join();
}

/** A call may be followed by the next call of the same action, or by a redirect to another site. */
const afterCallMs = 5_000;

export const idleMs = (): number => natives.now() - input.lastActivity;

/** Counts only dialogs that the visitor opened: a prompt that the shop shows on its own holds no input and returns after a reload. */
export const hasOpenDialog = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], dialog[open]')].some(
    (dialog) => !dialog.querySelector('[data-unasked]'),
  );

/**
 * Searches the pages of one remote, or the whole document. Text counts as saved when its form was submitted and a call has succeeded since.
 */
export function hasUnsavedInput(remote?: string): boolean {
  const pages = [...document.querySelectorAll(remote ? `[data-remote="${remote}"]` : '[data-remote]')];
  const areas = remote ? pages : [document.documentElement];
  return (
    pages.some((page) => [...page.querySelectorAll(clickControls)].some(isChanged)) ||
    areas.some((area) =>
      [...area.querySelectorAll(controls)].some((control) => input.edited.has(control) && isUnsaved(control)),
    )
  );
}

/** A click that changed no value, such as one on a button, would lose nothing. */
function isChanged(control: Element): boolean {
  const before = input.clicked.get(control);
  return before !== undefined && before !== valuesOf(control);
}

function isUnsaved(control: Element): boolean {
  const text = textOf(control);
  const sent = input.submitted.get(control);
  return text !== '' && !(sent?.text === text && changingCalls.lastSuccess >= sent.at);
}

/** Whether a call changes something, may be followed by another one, or an element holds the document (`data-holds`). */
export function isChangingSomething(): boolean {
  return (
    changingCalls.pending > 0 ||
    natives.now() - changingCalls.lastEnd < afterCallMs ||
    document.documentElement.dataset.holds !== undefined
  );
}
