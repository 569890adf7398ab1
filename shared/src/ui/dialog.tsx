import type { ReactNode } from 'react';
import { useId } from 'react';
import { Overlay } from './overlay';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  role?: 'dialog' | 'alertdialog';
  onClosed?: () => void;
}

export function Dialog({ open, onClose, title, children, actions, role, onClosed }: DialogProps) {
  const id = useId();
  const bodyId = useId();
  return (
    <Overlay
      open={open}
      onClose={onClose}
      kind="dialog"
      role={role}
      labelledBy={id}
      describedBy={role === 'alertdialog' && children ? bodyId : undefined}
      onClosed={onClosed}
    >
      <h2 className="ui-dialog__title" id={id}>
        {title}
      </h2>
      {children && (
        <div className="ui-dialog__body" id={bodyId}>
          {children}
        </div>
      )}
      {actions && <div className="ui-dialog__actions">{actions}</div>}
    </Overlay>
  );
}
