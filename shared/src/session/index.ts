import { createContext, useContext } from 'react';
import type { Currency, Language } from '../domain';

/** The signed-in user on the client (docs/product.md#session). Money is an amount string. */
export interface User {
  id: string;
  avatar: string;
  balance: string;
  balances: Record<Currency, string>;
  frozen: string;
  birthday: string;
  email: string;
  idCardCode: string;
  isReal: number;
  isUsable: number;
  name: string;
  nickname: string;
  openid: string;
  phone: string;
  /** Set for an account without a phone; `email` is the profile's. */
  signInEmail: string;
  sex: number;
  hasPassword: boolean;
  inviteCode: string;
  unreadNotices: number;
}

export type Theme = 'light' | 'dark';
/** The chosen theme; `system` follows the device. */
export type ThemeChoice = Theme | 'system';

/**
 * The one session, owned by the shell (docs/product.md#session). Every property is observable: read it inside an `observer`.
 * State changes only through the methods.
 */
export interface Session {
  readonly token: string;
  readonly hasToken: boolean;
  /** Null until the user info has been fetched. */
  readonly user: User | null;
  readonly hasUser: boolean;
  readonly language: Language;
  readonly currency: Currency;
  readonly theme: Theme;
  readonly themeChoice: ThemeChoice;
  readonly config: AppConfig | null;

  setLanguage(language: Language): void;
  setTheme(choice: ThemeChoice): void;
  /**
   * `then` is the address to open after a successful login. Resolves when the login closes: true if the user is signed in. A
   * login to buy shows no greeting and no coupon prompt, so that the purchase continues.
   */
  openLogin(then?: string, purpose?: 'buy'): Promise<boolean>;
  openRegister(): void;
  openSupport(): void;
  /** Fetches the user info again, for example after money moved. Rejects when the server does; signs out on no id. */
  refreshUser(): Promise<void>;
  /** Revokes the token on the server, then removes all data of the user. */
  logout(): Promise<void>;
}

/** App config; the API sends each key in two spellings (docs/product.md#content). */
export interface AppConfig {
  logo: string;
  customerQrcode: string;
  workTime: string;
  customerLink: string;
  icp: string;
  copyright: string;
  gameWebsiteUrl: string;
  social: Array<{ name: string; icon: string; url: string }>;
}

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext.Provider;

/** The session of the shell. Throws outside the shell, which is a programming error. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession() needs the shell: no session was provided');
  return session;
}
