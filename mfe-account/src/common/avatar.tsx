import type { ReactNode } from 'react';

export function Avatar({ src, name, children }: { src: string; name: string; children?: ReactNode }) {
  return (
    <span className="account-avatar">
      {src ? <img src={src} alt="" width={64} height={64} /> : <span aria-hidden="true">{[...name][0] ?? '·'}</span>}
      {children}
    </span>
  );
}
