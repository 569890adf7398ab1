import { type KeyboardEvent as FieldKeyEvent, useEffect, useEffectEvent } from 'react';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Calls the action of a pressed key, unless the user types or a dialog is open. */
export function useKeys(keys: Record<string, () => void>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
    if (isTyping(event.target) || document.querySelector('[aria-modal="true"]')) return;
    // Enter activates a focused button or link instead.
    if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.closest('button, a')) return;
    const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

export const isSendKey = ({ key, ctrlKey, metaKey }: FieldKeyEvent): boolean => key === 'Enter' && (ctrlKey || metaKey);
