import { createRoot } from 'react-dom/client';
import { type ConfirmOptions, Question } from './overlay';

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
