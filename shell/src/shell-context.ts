import { createContext, useContext } from 'react';
import type { CouponPromptStore } from './coupon/coupon-prompt.store';
import type { LayoutStore } from './layout/layout.store';
import type { ReleasesStore } from './releases/releases.store';
import type { RemoteLoader } from './releases/remote-loader';
import type { SessionStore } from './session/session.store';

/** The shell's own parts. Remotes never see this; they have `useSession()`. */
export interface Shell {
  session: SessionStore;
  layout: LayoutStore;
  coupons: CouponPromptStore;
  releases: ReleasesStore;
  loader: RemoteLoader;
}

const ShellContext = createContext<Shell | null>(null);
export const ShellProvider = ShellContext.Provider;

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('useShell() outside the shell');
  return shell;
}
