import './overlay.css';
import type { KeyboardEvent, ReactNode } from 'react';
import { createContext, useContext, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useHydrating } from '../routing';
import { Button } from './button';
import { classNames } from './class-names';
import { addOverlay, topmost } from './overlay-stack';
import { useTexts } from './texts';

const RemoteContext = createContext<string | undefined>(undefined);
/** The remote whose page is rendered: its overlays leave the page's element and carry the name instead, so that its styles apply. */
export const RemoteName = RemoteContext.Provider;

const DismissContext = createContext<() => boolean>(() => true);
/** For a close button. The function asks first if text would be lost, and returns whether the overlay closes at once. */
export const useDismiss = (): (() => boolean) => useContext(DismissContext);

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

type TextControl = HTMLInputElement | HTMLTextAreaElement;
const isTextControl = (element: Element): element is TextControl =>
  element.matches('textarea, input:not([type=search])');

/** Who signs in knows it, or the browser fills it in again. */
const credentials = /^(tel|email|username|(current|new)-password|one-time-code)/;

/** Whether the user has typed text into a field since its first focus. Cleared fields and fields that are gone lose nothing. */
const hasUnsavedText = (before: ReadonlyMap<TextControl, string>): boolean =>
  [...before].some(([field, value]) => field.isConnected && field.value.trim() !== '' && field.value !== value);

interface OverlayProps {
  open: boolean;
  /** Called when the user leaves it, after a question if that loses text. */
  onClose: () => void;
  kind: 'bottom' | 'left' | 'dialog';
  role?: 'dialog' | 'alertdialog';
  labelledBy: string;
  describedBy?: string;
  /** Called after the closing animation. */
  onClosed?: () => void;
  children: ReactNode;
}

/** The modal layer under Sheet and Dialog: scrim, focus trap and return, Escape, Back, scroll lock, enter and leave. */
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
  const { t } = useTexts();
  const hydrating = useHydrating();
  // An overlay that was rendered open in the document stays in place, because a portal cannot be hydrated.
  const [inPlace] = useState(hydrating && open);
  const [mounted, setMounted] = useState(open);
  const remote = useContext(RemoteContext);
  const layer = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const before = useRef<HTMLElement | null>(null);
  /** The values of text fields at their first focus. */
  const typed = useRef(new Map<TextControl, string>());
  const [asks, setAsks] = useState<boolean>();
  if (open && !mounted) setMounted(true);
  const dismiss = () => {
    const loses = hasUnsavedText(typed.current);
    if (loses) setAsks(true);
    else onClose();
    return !loses;
  };
  const close = useEffectEvent(onClose);
  const askToClose = useEffectEvent(dismiss);
  const reportClosed = useEffectEvent(() => onClosed?.());

  useLayoutEffect(() => {
    const element = layer.current;
    if (!open || !element) return;
    before.current = document.activeElement as HTMLElement | null;
    const texts = typed.current;
    const remove = addOverlay(element, { close: () => close(), dismiss: () => askToClose() });
    if (!element.contains(document.activeElement)) {
      (element.querySelector<HTMLElement>('[data-autofocus]') ?? panel.current)?.focus({ preventScroll: true });
    }
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || topmost() !== element) return;
      event.preventDefault();
      event.stopPropagation();
      askToClose();
    };
    // Capture phase: the layer stops key events before they bubble to the document.
    document.addEventListener('keydown', onKey, true);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      remove();
      texts.clear();
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
      reportClosed();
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
      onFocus={(event) => {
        const target: Element = event.target;
        if (isTextControl(target) && !credentials.test(target.autocomplete) && !typed.current.has(target))
          typed.current.set(target, target.value);
        event.stopPropagation();
      }}
      onKeyDown={(event) => {
        trap(event);
        event.stopPropagation();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) {
          event.preventDefault();
          dismiss();
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
        <DismissContext value={dismiss}>{children}</DismissContext>
      </div>
    </div>
  );
  return (
    <>
      {inPlace ? shown : createPortal(shown, document.body)}
      {asks !== undefined && (
        <Question
          open={open && asks}
          title={t('discardTitle')}
          cancelText={t('keepEditing')}
          confirmText={t('discard')}
          danger
          onAnswer={(discards) => {
            setAsks(false);
            if (discards) onClose();
          }}
        />
      )}
    </>
  );
}

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}

export const Dialog = (props: DialogProps) => <DialogParts {...props} />;

function DialogParts({ title, children, actions, ...overlay }: DialogProps & Pick<OverlayProps, 'role' | 'onClosed'>) {
  const id = useId();
  const bodyId = useId();
  // A screen reader reads the whole question; the content of a dialog may be long.
  const describedBy = overlay.role === 'alertdialog' && children ? bodyId : undefined;
  return (
    <Overlay {...overlay} kind="dialog" labelledBy={id} describedBy={describedBy}>
      <h2 className="ui-dialog__title" id={id}>
        {title}
      </h2>
      {children && (
        <div className="ui-dialog__body" id={describedBy}>
          {children}
        </div>
      )}
      {actions && <div className="ui-dialog__actions">{actions}</div>}
    </Overlay>
  );
}

export interface ConfirmOptions {
  title: string;
  content?: ReactNode;
  confirmText?: string;
  cancelText?: string;
  /** For actions that cannot be undone: the focus starts on cancel. */
  danger?: boolean;
}

interface QuestionProps extends ConfirmOptions {
  open: boolean;
  onAnswer: (yes: boolean) => void;
  onClosed?: () => void;
}

/** A modal question, which is answered with no when the user leaves it. */
export function Question({ content, confirmText, cancelText, danger, onAnswer, ...dialog }: QuestionProps) {
  const { t } = useTexts();
  const buttons = (
    <>
      <Button kind="secondary" data-autofocus={danger || undefined} onClick={() => onAnswer(false)}>
        {cancelText ?? t('cancel')}
      </Button>
      <Button kind={danger ? 'danger' : 'primary'} onClick={() => onAnswer(true)}>
        {confirmText ?? t('confirm')}
      </Button>
    </>
  );
  return (
    <DialogParts {...dialog} onClose={() => onAnswer(false)} role="alertdialog" actions={buttons}>
      {content}
    </DialogParts>
  );
}
