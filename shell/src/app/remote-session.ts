import type { Session } from '@shop/shared/session';
import type { Shell } from '../shell-context';

/** The session object that remotes get from `useSession()`; its properties are observable. */
export function createRemoteSession({ session, preferences, appConfig, overlays }: Shell): Session {
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
