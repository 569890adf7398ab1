import type { ReactNode } from 'react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from './button';
import { Dialog } from './dialog';
import { useTexts } from './texts';

interface ConfirmOptions {
  title: string;
  content?: ReactNode;
  confirmText?: string;
  cancelText?: string;
  /** For actions that cannot be undone: the focus starts on cancel. */
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
