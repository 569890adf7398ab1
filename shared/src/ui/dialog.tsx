import { type ReactNode, useId } from 'react';
import { createRoot } from 'react-dom/client';
import { type ConfirmOptions, Overlay, Question } from './overlay';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}

export function Dialog({ open, onClose, title, children, actions }: DialogProps) {
  const id = useId();
  return (
    <Overlay open={open} onClose={onClose} kind="dialog" labelledBy={id}>
      <h2 className="ui-dialog__title" id={id}>
        {title}
      </h2>
      {children && <div className="ui-dialog__body">{children}</div>}
      {actions && <div className="ui-dialog__actions">{actions}</div>}
    </Overlay>
  );
}

/** Resolves to false for cancel, Escape and a click on the backdrop. Works outside components too. */
export function confirm(options: ConfirmOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const host = document.body.appendChild(document.createElement('div'));
    host.dataset.uiConfirm = '';
    const root = createRoot(host);
    const answer = (yes: boolean) => {
      show(false);
      resolve(yes);
    };
    const remove = () => {
      // React cannot unmount a root during its commit.
      setTimeout(() => {
        root.unmount();
        host.remove();
      });
    };
    const show = (open: boolean) =>
      root.render(<Question {...options} open={open} onAnswer={answer} onClosed={remove} />);
    show(true);
  });
}
