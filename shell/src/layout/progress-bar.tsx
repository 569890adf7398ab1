import type { ReactNode } from 'react';

/** Speed 500 ms, trickle 200 ms, no spinner (specification, section 9): both stand in progress-bar.css. */
export function ProgressBar({ visible }: { visible: boolean }): ReactNode {
  return <div className={`shell-progress${visible ? ' shell-progress--on' : ''}`} aria-hidden="true" />;
}
