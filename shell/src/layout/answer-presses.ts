import { natives } from '@platform/host/natives';
import { afterFrame } from './after-frame';

let isSending = false;

/**
 * Marks a control in the frame after its click, and lets the click's work begin when that frame is painted: the click is held and
 * dispatched again (docs/adr/0008-input-responsiveness.md).
 */
export function answerPresses(): () => void {
  return natives.listen(window, 'click', onClick, { capture: true });
}

function onClick(event: MouseEvent): void {
  const { target } = event;
  const control = target instanceof Element && target.closest<HTMLElement>('a[href], button, label, [role=option]');
  if (!control || isSending || !event.isTrusted || isOfBrowser(event, control)) return;
  event.preventDefault();
  // Other listeners of the window still receive it.
  event.stopPropagation();
  control.dataset.pressed = '';
  afterFrame(() => {
    isSending = true;
    (target.isConnected ? target : control).dispatchEvent(new MouseEvent('click', event));
    isSending = false;
    afterFrame(() => {
      delete control.dataset.pressed;
    });
  });
}

/** The browser handles these: another tab or application, and a text field, whose keyboard opens only in the original click. */
function isOfBrowser({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent, control: HTMLElement): boolean {
  const { target, origin = window.location.origin } = control as HTMLAnchorElement;
  const field = (control as HTMLLabelElement).control as HTMLInputElement | null | undefined;
  const isText = field && !/^(checkbox|radio)$/.test(field.type);
  return Boolean(ctrlKey || metaKey || shiftKey || altKey || target || isText || origin !== window.location.origin);
}
