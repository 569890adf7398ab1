import type { ReactNode } from 'react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from './button';
import { Dialog } from './dialog';
import { useTexts } from './texts';

export interface ConfirmOptions {
  title: string;
  content?: ReactNode;
  confirmText?: string;
  cancelText?: string;
  /** Marks what cannot be undone; focus starts on cancel. */
  danger?: boolean;
}

function Question({
  title,
  content,
  confirmText,
  cancelText,
  danger,
  onAnswer,
  onClosed,
}: ConfirmOptions & {
  onAnswer: (yes: boolean) => void;
  onClosed: () => void;
}) {
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

/** Asks once; false for cancel, Escape and a press beside the dialog. Works outside of components too. */
export function confirm(options: ConfirmOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const host = document.body.appendChild(document.createElement('div'));
    host.dataset.uiConfirm = '';
    const root = createRoot(host);
    const remove = () => {
      // Not inside React's own commit.
      setTimeout(() => {
        root.unmount();
        host.remove();
      });
    };
    root.render(<Question {...options} onAnswer={resolve} onClosed={remove} />);
  });
}
