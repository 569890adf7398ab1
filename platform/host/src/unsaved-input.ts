import { clickControls, controls, input, textOf, valuesOf } from './input-watch';
import { natives } from './natives';

/** A call may be followed by the next call of the same action, or by a redirect to another site. */
const afterCallMs = 5_000;

/** Calls that change something on the server. Times are values of `Date.now()`, 0 before the first call. */
export interface ChangingCalls {
  pending: number;
  lastEnd: number;
  lastSuccess: number;
}

export const idleMs = (): number => natives.now() - input.lastActivity;

/** Counts only dialogs that the visitor opened: a prompt that the shop shows on its own holds no input and returns after a reload. */
export const hasOpenDialog = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], dialog[open]')].some(
    (dialog) => !dialog.querySelector('[data-unasked]'),
  );

/**
 * Searches the pages of one remote, or the whole document. Text counts as saved when its form was submitted and a call has succeeded since.
 */
export function hasUnsavedInput({ lastSuccess }: ChangingCalls, remote?: string): boolean {
  const pages = [...document.querySelectorAll(remote ? `[data-remote="${remote}"]` : '[data-remote]')];
  const areas = remote ? pages : [document.documentElement];
  return (
    pages.some((page) => [...page.querySelectorAll(clickControls)].some(isChanged)) ||
    areas.some((area) =>
      [...area.querySelectorAll(controls)].some(
        (control) => input.edited.has(control) && isUnsaved(control, lastSuccess),
      ),
    )
  );
}

/** A click that changed no value, such as one on a button, would lose nothing. */
function isChanged(control: Element): boolean {
  const before = input.clicked.get(control);
  return before !== undefined && before !== valuesOf(control);
}

function isUnsaved(control: Element, lastSuccess: number): boolean {
  const text = textOf(control);
  const sent = input.submitted.get(control);
  return text !== '' && !(sent?.text === text && lastSuccess >= sent.at);
}

/** Whether a call changes something, may be followed by another one, or an element holds the document (`data-holds`). */
export function isChangingSomething(changingCalls: ChangingCalls): boolean {
  return (
    changingCalls.pending > 0 ||
    natives.now() - changingCalls.lastEnd < afterCallMs ||
    document.documentElement.dataset.holds !== undefined
  );
}
