import { type ReactNode, useId, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from './button';
import { Overlay } from './overlay';
import { useTexts } from './texts';

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

interface ConfirmOptions {
  title: string;
  content?: ReactNode;
  confirmText?: string;
  cancelText?: string;
  /** For actions that cannot be undone: the focus starts on cancel. */
  danger?: boolean;
}

interface QuestionProps extends ConfirmOptions {
  onAnswer: (yes: boolean) => void;
  onClosed: () => void;
}

function Question({ title, content, confirmText, cancelText, danger, onAnswer, onClosed }: QuestionProps) {
  const { t } = useTexts();
  const [open, setOpen] = useState(true);
  const answer = (yes: boolean) => {
    setOpen(false);
    onAnswer(yes);
  };
  return (
    <Dialog
      open={open}
      onClose={() => answer(false)}
      onClosed={onClosed}
      title={title}
      role="alertdialog"
      actions={
        <>
          <Button kind="secondary" data-autofocus={danger || undefined} onClick={() => answer(false)}>
            {cancelText ?? t('cancel')}
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {confirmText ?? t('confirm')}
          </Button>
        </>
      }
    >
      {content}
    </Dialog>
  );
}

/** Resolves to false for cancel, Escape and a click on the backdrop. Works outside components too. */
export function confirm(options: ConfirmOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const host = document.body.appendChild(document.createElement('div'));
    host.dataset.uiConfirm = '';
    const root = createRoot(host);
    const remove = () => {
      // React cannot unmount a root during its commit.
      setTimeout(() => {
        root.unmount();
        host.remove();
      });
    };
    root.render(<Question {...options} onAnswer={resolve} onClosed={remove} />);
  });
}
