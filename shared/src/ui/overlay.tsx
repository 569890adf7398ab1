import './overlay.css';
import type { KeyboardEvent, ReactNode } from 'react';
import { createContext, useContext, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useHydrating } from '../routing/use-hydrating';
import { classNames } from './class-names';

const RemoteContext = createContext<string | undefined>(undefined);
/** The remote whose page is rendered: its overlays leave the page's element and carry the name instead, so that its styles apply. */
export const RemoteName = RemoteContext.Provider;

/** Open overlays with the function that closes them, topmost last: only the topmost handles Escape and is not inert. */
const stack = new Map<HTMLElement, () => void>();
const topmost = () => [...stack.keys()].at(-1);

/** Call it when another page is shown. A prompt that opened by itself is shown again with its page. */
export function closeOverlays(): void {
  for (const [layer, close] of [...stack].reverse()) if (!layer.querySelector('[data-unasked]')) close();
}

const inertByUs = new Set<Element>();

function applyInert() {
  const top = topmost();
  for (const element of inertByUs) element.removeAttribute('inert');
  inertByUs.clear();
  const root = document.documentElement;
  if (!top) {
    root.classList.remove('ui-locked');
    return;
  }
  if (!root.classList.contains('ui-locked')) {
    root.style.setProperty('--ui-scrollbar', `${window.innerWidth - root.clientWidth}px`);
    root.classList.add('ui-locked');
  }
  // An overlay that was rendered open in the document is inside the page.
  for (const parent of [document.body, top.parentElement as Element])
    for (const element of parent.children) {
      // Toasts must stay readable above a dialog.
      if (element.contains(top) || element.hasAttribute('inert') || element.hasAttribute('data-ui-live')) continue;
      element.setAttribute('inert', '');
      inertByUs.add(element);
    }
}

const focusableSelector =
  'a[href],button:not(:disabled),input:not(:disabled),select:not(:disabled),textarea:not(:disabled),[tabindex]:not([tabindex="-1"])';

function focusableIn(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(focusableSelector)].filter(
    (element) => element.tabIndex >= 0 && (element.checkVisibility?.() ?? true),
  );
}

/** Returns the focus to `target`, unless it has been moved elsewhere on purpose. */
function restoreFocus(target: HTMLElement | null, layer: HTMLElement | null) {
  const current = document.activeElement;
  if (target?.isConnected && (!current || current === document.body || layer?.contains(current))) {
    target.focus({ preventScroll: true });
  }
}

interface OverlayProps {
  open: boolean;
  onClose: () => void;
  kind: 'bottom' | 'right' | 'left' | 'dialog';
  role?: 'dialog' | 'alertdialog';
  labelledBy: string;
  describedBy?: string;
  /** Called after the closing animation. */
  onClosed?: () => void;
  children: ReactNode;
}

/** The modal layer under Sheet and Dialog: scrim, focus trap and return, Escape, scroll lock, enter and leave. */
export function Overlay({
  open,
  onClose,
  kind,
  role = 'dialog',
  labelledBy,
  describedBy,
  onClosed,
  children,
}: OverlayProps) {
  const hydrating = useHydrating();
  // An overlay that was rendered open in the document stays in place, because a portal cannot be hydrated.
  const [inPlace] = useState(hydrating && open);
  const [mounted, setMounted] = useState(open);
  const remote = useContext(RemoteContext);
  const layer = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLElement | null>(null);
  const close = useRef(onClose);
  const closed = useRef(onClosed);
  if (open && !mounted) setMounted(true);

  useLayoutEffect(() => {
    close.current = onClose;
    closed.current = onClosed;
  });

  useLayoutEffect(() => {
    const element = layer.current;
    if (!open || !element) return;
    before.current = document.activeElement as HTMLElement | null;
    stack.set(element, () => close.current());
    applyInert();
    if (!element.contains(document.activeElement)) {
      (element.querySelector<HTMLElement>('[data-autofocus]') ?? panel.current)?.focus({ preventScroll: true });
    }
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || topmost() !== element) return;
      event.preventDefault();
      event.stopPropagation();
      close.current();
    };
    // Capture phase: the layer stops key events before they bubble to the document.
    document.addEventListener('keydown', onKey, true);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      stack.delete(element);
      applyInert();
      restoreFocus(before.current, element);
    };
  }, [open]);

  // A hidden kept-alive page keeps its portals in the document, so the layer is hidden. If it was closed meanwhile, it stays hidden.
  useLayoutEffect(() => {
    const element = layer.current;
    if (!mounted || !element) return;
    element.hidden = element.classList.contains('is-closing');
    return () => {
      element.hidden = true;
    };
  }, [mounted]);

  useLayoutEffect(() => {
    if (open || !mounted) return;
    // Again: after a commit React restores the previous focus.
    restoreFocus(before.current, layer.current);
    const done = () => {
      setMounted(false);
      closed.current?.();
    };
    const animations = [layer.current, panel.current].flatMap((element) => element?.getAnimations?.() ?? []);
    if (animations.length === 0) {
      done();
      return;
    }
    let cancelled = false;
    Promise.allSettled(animations.map((animation) => animation.finished)).then(() => cancelled || done());
    return () => {
      cancelled = true;
    };
  }, [open, mounted]);

  if (!mounted) return null;

  const trap = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || !panel.current) return;
    const all = focusableIn(panel.current);
    const current = document.activeElement;
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (all.length > 0 && current !== edge && current !== panel.current) return;
    event.preventDefault();
    (event.shiftKey ? all.at(-1) : all[0])?.focus();
  };
  // React events bubble from a portal to its React parent, for example to the card that opened the sheet.
  const keep = (event: { stopPropagation: () => void }) => event.stopPropagation();
  const shown = (
    // biome-ignore lint/a11y/noStaticElementInteractions: the scrim is for pointers; Escape and the close button do the same
    <div
      ref={layer}
      data-remote={remote}
      className={classNames('ui-overlay', `ui-overlay--${kind}`, !open && 'is-closing')}
      inert={!open}
      onClick={keep}
      onSubmit={keep}
      onBlur={keep}
      onFocus={keep}
      onKeyDown={(event) => {
        trap(event);
        event.stopPropagation();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) {
          event.preventDefault();
          onClose();
        }
      }}
    >
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles of the type support it */}
      <div
        ref={panel}
        role={role}
        aria-modal="true"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        tabIndex={-1}
        className="ui-overlay__panel"
      >
        {children}
      </div>
    </div>
  );
  return inPlace ? shown : createPortal(shown, document.body);
}
