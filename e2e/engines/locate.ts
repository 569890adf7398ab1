/** Runs in the page. */
import type * as TestingLibrary from '@testing-library/dom';

export interface Wanted<Name = unknown> {
  role: string;
  name?: Name;
  /** The name of the dialog that it is in. */
  within?: Name;
  /** Scrolled into sight, at rest, enabled and covered by nothing. */
  toPress?: boolean;
}

export interface Found {
  /** The middle of it, in the viewport. */
  x: number;
  y: number;
  value: string | undefined;
}

/** The first visible element of that role and name; otherwise why there is none to use. */
export async function locate({ role, name, within, toPress }: Wanted): Promise<Found | string> {
  const { TestingLibraryDom: library } = window as unknown as { TestingLibraryDom?: typeof TestingLibrary };
  if (!library) return 'no library';
  const asName = (data: unknown) =>
    data && typeof data === 'object' && 'source' in data
      ? new RegExp(String(data.source))
      : (data as string | undefined);
  const dialogs = (kind: 'dialog' | 'alertdialog') =>
    library.queryAllByRole(document.body, kind, { name: asName(within) });
  const container = within ? (dialogs('dialog')[0] ?? dialogs('alertdialog')[0]) : document.body;
  const element = container && library.queryAllByRole(container, role, { name: asName(name) })[0];
  const label = `${role} ${asName(name) ?? ''}`.trim();
  if (!element) return `there is no ${label}`;
  const place = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  };
  if (toPress) {
    if (element.matches(':disabled, [aria-disabled="true"]')) return `${label} is disabled`;
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const before = place();
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const { x, y } = place();
    if (x !== before.x || y !== before.y) return `${label} moves`;
    const top = document.elementFromPoint(x, y);
    // A field's own input can lie under its label.
    const reached = top && (element.contains(top) || top.closest('label')?.contains(element));
    if (!reached) return `${label} is covered by ${top?.outerHTML.slice(0, 200)}`;
  }
  return { ...place(), value: (element as HTMLInputElement).value };
}
