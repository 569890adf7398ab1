import { ReleasesStore } from '@platform/host/releases.store';
import type { RemoteLoader } from '@platform/host/remote-loader';
import type { PageMap } from '@platform/releases/contract';
import { QueryClientProvider, queryClient } from '@shop/shared/query';
import { type Session, SessionProvider } from '@shop/shared/session';
import { createContext, type ReactElement, type ReactNode, useContext, useState } from 'react';
import { AppConfigStore } from './config/app-config.store';
import { CouponPromptStore } from './coupon/coupon-prompt.store';
import { NavigationStore } from './layout/navigation.store';
import { OverlayStore } from './layout/overlay.store';
import { PreferencesStore } from './preferences/preferences.store';
import { SessionStore } from './session/session.store';

/** The shell's stores and its loader of remotes. Remotes see only `useSession()`. */
export function createStores(map: PageMap, visitor: number, createLoader: (releases: ReleasesStore) => RemoteLoader) {
  const session = new SessionStore();
  const releases = new ReleasesStore(map, visitor);
  return {
    session,
    releases,
    preferences: new PreferencesStore(),
    appConfig: new AppConfigStore(),
    overlays: new OverlayStore(session.declineLogin),
    navigation: new NavigationStore(),
    coupons: new CouponPromptStore(),
    loader: createLoader(releases),
  };
}

export interface Shell extends ReturnType<typeof createStores> {
  /** Set for a rendered document until its page is hydrated. */
  hydration?: {
    /** Called before the next paint. */
    restore: () => void;
    /** Called after the effects of the page. */
    done: () => void;
  };
}

const ShellContext = createContext<Shell | null>(null);
export const ShellProvider = ShellContext.Provider;

/** The session object that remotes get from `useSession()`; its properties are observable. */
function createRemoteSession({ session, preferences, appConfig, overlays }: Shell): Session {
  return {
    get token() {
      return session.token;
    },
    get hasToken() {
      return session.hasToken;
    },
    get user() {
      return session.user;
    },
    get hasUser() {
      return session.hasUser;
    },
    get language() {
      return preferences.language;
    },
    get currency() {
      return preferences.currency;
    },
    get theme() {
      return preferences.theme;
    },
    get themeChoice() {
      return preferences.themeChoice;
    },
    get config() {
      return appConfig.value;
    },
    setLanguage: preferences.setLanguage,
    setTheme: preferences.setTheme,
    openLogin: overlays.openLogin,
    openRegister: overlays.openRegister,
    openSupport: overlays.openSupport,
    refreshUser: session.refreshUser,
    logout: session.logout,
  };
}

export function ShellRoot({ shell, children }: { shell: Shell; children: ReactNode }): ReactElement {
  const [session] = useState(() => createRemoteSession(shell));
  return (
    <ShellProvider value={shell}>
      <SessionProvider value={session}>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </SessionProvider>
    </ShellProvider>
  );
}

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('useShell() outside the shell');
  return shell;
}
