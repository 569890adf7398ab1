import type { PointerEvent, ReactNode } from 'react';
import { useId, useRef } from 'react';
import { IconButton } from './button';
import { Overlay, useDismiss } from './overlay';
import { useTexts } from './texts';

interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  /** `bottom` is a sheet on a phone and a centred dialog from 960 px. */
  side?: 'bottom' | 'left';
}

/** Drag distance in px at which the sheet closes. */
const dragToClose = 90;

export function Sheet({ open, onClose, title, children, footer, side = 'bottom' }: SheetProps) {
  const id = useId();
  return (
    <Overlay open={open} onClose={onClose} kind={side} labelledBy={id}>
      {side === 'bottom' && <div className="ui-sheet__handle" />}
      <SheetHead id={id} title={title} canDrag={side === 'bottom'} />
      <div className="ui-sheet__body">{children}</div>
      {footer && <div className="ui-sheet__footer">{footer}</div>}
    </Overlay>
  );
}

function SheetHead({ id, title, canDrag }: { id: string; title: ReactNode; canDrag: boolean }) {
  const { t } = useTexts();
  const dismiss = useDismiss();
  const startY = useRef<number | null>(null);
  const move = (event: PointerEvent<HTMLElement>, by: number) => {
    const panel = event.currentTarget.parentElement;
    if (panel) panel.style.transform = by > 0 ? `translateY(${by}px)` : '';
  };
  const end = (event: PointerEvent<HTMLElement>, cancelled: boolean) => {
    if (startY.current === null) return;
    const by = event.clientY - startY.current;
    startY.current = null;
    const closes = !cancelled && by > dragToClose && dismiss();
    if (!closes) move(event, 0);
  };
  const drag = canDrag
    ? {
        onPointerDown: (event: PointerEvent<HTMLElement>) => {
          if (event.pointerType === 'mouse' || (event.target as Element).closest('button, a')) return;
          startY.current = event.clientY;
          event.currentTarget.setPointerCapture(event.pointerId);
        },
        onPointerMove: (event: PointerEvent<HTMLElement>) => {
          if (startY.current !== null) move(event, event.clientY - startY.current);
        },
        onPointerUp: (event: PointerEvent<HTMLElement>) => end(event, false),
        onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event, true),
      }
    : undefined;
  return (
    <div className="ui-sheet__head ui-row ui-gap-2" {...drag}>
      <h2 className="ui-sheet__title ui-grow" id={id}>
        {title}
      </h2>
      <IconButton icon="close" label={t('close')} onClick={dismiss} />
    </div>
  );
}
