import { type KeyboardEvent as FieldKeyEvent, useEffect, useEffectEvent } from 'react';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Listens to an event of the window while `active`. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  listener: (event: WindowEventMap[Name]) => void,
  active = true,
): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => {
    if (!active) return;
    addEventListener(name, onEvent);
    return () => removeEventListener(name, onEvent);
  }, [name, active]);
}

/** Calls the action of a pressed key, unless the user types or a dialog is open. */
export function useKeys(keys: Record<string, () => void>): void {
  useWindowEvent('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return;
    if (isTyping(event.target) || document.querySelector('[aria-modal="true"]')) return;
    // Enter activates a focused button or link instead.
    if (event.key === 'Enter' && event.target instanceof HTMLElement && event.target.closest('button, a')) return;
    const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (!action) return;
    event.preventDefault();
    action();
  });
}

export const isSendKey = ({ key, ctrlKey, metaKey }: FieldKeyEvent): boolean => key === 'Enter' && (ctrlKey || metaKey);
