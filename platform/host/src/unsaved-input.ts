/** What a load of the document would lose: text that the visitor typed, choices, an open dialog, a call in flight. */
import { controls, input, pressControls, textOf, valuesOf } from './input-watch';
import { natives } from './natives';

/** What follows a call: the next call of the same action, or the way to another site. */
const afterCallMs = 5_000;

/** Calls that change something on the server. Times are of `Date.now()`, 0 before the first. */
export interface ChangingCalls {
  pending: number;
  lastEnd: number;
  lastSuccess: number;
}

export const idleMs = (): number => natives.now() - input.lastActivity;

/** The visitor's own: one that is shown unasked holds nothing and comes again after a load. */
export const hasOpenDialog = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], dialog[open]')].some(
    (dialog) => !dialog.querySelector('[data-unasked]'),
  );

/** In the pages of one remote, or anywhere in the document. Text counts as saved when its form was submitted and a call succeeded since. */
export function hasUnsavedInput({ lastSuccess }: ChangingCalls, remote?: string): boolean {
  const pages = [...document.querySelectorAll(remote ? `[data-remote="${remote}"]` : '[data-remote]')];
  const areas = remote ? pages : [document.documentElement];
  return (
    pages.some((page) => [...page.querySelectorAll(pressControls)].some(isChanged)) ||
    areas.some((area) =>
      [...area.querySelectorAll(controls)].some(
        (control) => input.edited.has(control) && isUnsaved(control, lastSuccess),
      ),
    )
  );
}

/** A press that changed no value, such as one on a button, would lose nothing. */
function isChanged(control: Element): boolean {
  const before = input.pressed.get(control);
  return before !== undefined && before !== valuesOf(control);
}

function isUnsaved(control: Element, lastSuccess: number): boolean {
  const text = textOf(control);
  const sent = input.submitted.get(control);
  return text !== '' && !(sent?.text === text && lastSuccess >= sent.at);
}

/** A call that changes something, what follows it, or something else that holds the document (`data-holds`). */
export function isChangingSomething(changingCalls: ChangingCalls): boolean {
  return (
    changingCalls.pending > 0 ||
    natives.now() - changingCalls.lastEnd < afterCallMs ||
    document.documentElement.dataset.holds !== undefined
  );
}
