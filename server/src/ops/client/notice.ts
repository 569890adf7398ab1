import { byId, element } from './dom';

const SHOWN_MS = 8_000;
const UNDO_MS = 30_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A line at the bottom, with an undo button where there is an undo. */
export function showNotice(text: string, { undo, failed = false }: { undo?: () => void; failed?: boolean } = {}): void {
  clearTimeout(timer);
  const notice = byId('notice');
  notice.className = failed ? 'failed' : '';
  notice.replaceChildren(
    element('span', {}, text),
    ...(undo ? [element('button', { type: 'button', onClick: undo }, 'Undo')] : []),
  );
  timer = setTimeout(() => notice.replaceChildren(), undo ? UNDO_MS : SHOWN_MS);
}
