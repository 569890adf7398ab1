import type { ReleasesStore } from '@platform/host/releases.store';
import type { RemoteLoader } from '@platform/host/remote-loader';
import { createContext, useContext } from 'react';
import type { AppConfigStore } from './config/app-config.store';
import type { CouponPromptStore } from './coupon/coupon-prompt.store';
import type { NavigationStore } from './layout/navigation.store';
import type { OverlayStore } from './layout/overlay.store';
import type { PreferencesStore } from './preferences/preferences.store';
import type { SessionStore } from './session/session.store';

/** The shell's stores and its loader of remotes. Remotes see only `useSession()`. */
export interface Shell {
  session: SessionStore;
  preferences: PreferencesStore;
  appConfig: AppConfigStore;
  overlays: OverlayStore;
  navigation: NavigationStore;
  coupons: CouponPromptStore;
  releases: ReleasesStore;
  loader: RemoteLoader;
  /** Set for a rendered document until its page is hydrated. */
  hydration?: Hydration;
}

export interface Hydration {
  /** Called before the next paint. */
  restore: () => void;
  /** Called after the effects of the page. */
  done?: () => void;
}

const ShellContext = createContext<Shell | null>(null);
export const ShellProvider = ShellContext.Provider;

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('useShell() outside the shell');
  return shell;
}
