import { byId, element } from './dom';

const SHOWN_MS = 8_000;
const UNDO_MS = 30_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export interface NoticeOptions {
  undo?: () => void;
  /** Takes it out of the queue for the gate. */
  leave?: () => void;
  failed?: boolean;
  /** Offers to do it without the checks in a browser, for a reason. */
  skipBrowser?: (reason: string) => void;
  /** It stays until the next notice. */
  stays?: boolean;
}

/** A line at the bottom, with what can be done about it. */
export function showNotice(
  text: string,
  { undo, leave, failed = false, skipBrowser, stays }: NoticeOptions = {},
): void {
  clearTimeout(timer);
  const notice = byId('notice');
  notice.className = failed ? 'failed' : '';
  notice.replaceChildren(
    element('span', {}, text),
    ...(undo ? [element('button', { type: 'button', onClick: undo }, 'Undo')] : []),
    ...(leave ? [element('button', { type: 'button', onClick: leave }, 'Leave the queue')] : []),
    ...(skipBrowser ? [skipForm(skipBrowser)] : []),
  );
  if (stays || skipBrowser) return;
  timer = setTimeout(() => notice.replaceChildren(), undo ? UNDO_MS : SHOWN_MS);
}

function skipForm(onReason: (reason: string) => void): HTMLElement {
  const reason = element('input', { name: 'reason', maxlength: 300, required: true });
  const form = element(
    'form',
    {},
    element('label', {}, 'Reason for leaving out the checks in a browser ', reason),
    element('button', { type: 'submit' }, 'Promote without them'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (reason.value.trim()) onReason(reason.value.trim());
  });
  return form;
}
