import type { TokenAnswer, UserInfo, AppConfig as WireConfig } from '@shop/server/wire';
import { type Currency, currencyOf, defaultLanguage, type Language, languages } from '@shop/shared/domain';
import { changeLanguage } from '@shop/shared/i18n';
import { invalidate, resetPageData } from '@shop/shared/query';
import type { AppConfig, Session, Theme, ThemeChoice, User } from '@shop/shared/session';
import { makeAutoObservable, runInAction } from '@shop/shared/state';
import { type Greeting, greetingOf } from './greeting';
import * as api from './session.api';
import { readStored, writeStored } from './storage';

const tokenKey = 'token';
const languageKey = 'language';
const themeKey = 'theme';

/** Dialogs and panels of the layout. Opening login closes register and the reverse (specification, section 2). */
export type Overlay = 'none' | 'login' | 'register';

/** What the session asks of the rest of the shell. */
export interface SessionEvents {
  onGreeting(greeting: Greeting, name: string): void;
  onLoginWithoutToken(): void;
  /** After a user has been fetched: the coupon-receive check. */
  checkCoupon(): void;
  onSignedOut(): void;
  /** Somebody else signed in over a page of the user whose session had ended. */
  onSomebodyElse(): void;
}

/** The token came, the user did not; the session has been reset. */
export class SignInIncomplete extends Error {
  constructor(options?: ErrorOptions) {
    super('signed in, but the user info did not arrive', options);
  }
}

const silent: SessionEvents = {
  onGreeting() {},
  onLoginWithoutToken() {},
  checkCoupon() {},
  onSignedOut() {},
  onSomebodyElse() {},
};

export class SessionStore implements Session {
  token = '';
  user: User | null = null;
  config: AppConfig | null = null;
  language: Language = defaultLanguage;
  themeChoice: ThemeChoice = 'system';
  private systemTheme: Theme = 'light';
  overlay: Overlay = 'none';
  supportVisible = false;
  /** The shopper signed out by will, or declined to sign in again, so nothing asks to. Until a token comes. */
  leaving = false;
  /**
   * The server has ended the session of a page that needs one. The page, its user and what was typed stay beneath the login; no call carries
   * a token. Signing in again goes on there, closing the login resets the session.
   */
  ended = false;
  /** Where the shopper wanted to go when login was asked for. */
  afterLogin = '';

  private events: SessionEvents = silent;
  private userUnderWay: Promise<void> | null = null;
  private configUnderWay: Promise<void> | null = null;

  constructor() {
    makeAutoObservable<this, 'events' | 'userUnderWay' | 'configUnderWay'>(
      this,
      { events: false, userUnderWay: false, configUnderWay: false },
      { autoBind: true },
    );
  }

  /** Reads what this device keeps. Called once by the browser's entry, never on a server. */
  restore(): void {
    this.token = readStored(tokenKey);
    const language = readStored(languageKey);
    if (languages.includes(language as Language)) this.language = language as Language;
    this.themeChoice = toThemeChoice(readStored(themeKey));
    void changeLanguage(this.language);
  }

  connect(events: SessionEvents): void {
    this.events = events;
  }

  get hasToken(): boolean {
    return this.token !== '' || this.ended;
  }

  get hasUser(): boolean {
    return this.user !== null;
  }

  get currency(): Currency {
    return currencyOf(this.language);
  }

  get theme(): Theme {
    return this.themeChoice === 'system' ? this.systemTheme : this.themeChoice;
  }

  setSystemTheme(theme: Theme): void {
    this.systemTheme = theme;
  }

  setTheme(choice: ThemeChoice): void {
    this.themeChoice = choice;
    writeStored(themeKey, choice === 'system' ? '' : choice);
  }

  /** Texts change at once; what the server words or prices is fetched again. */
  setLanguage(language: Language): void {
    if (language === this.language) return;
    this.language = language;
    writeStored(languageKey, language);
    void changeLanguage(language);
    void resetPageData();
    this.config = null;
    void this.loadConfig();
    if (this.hasToken) void this.refreshUser().catch(() => {});
  }

  openLogin(then = ''): void {
    this.overlay = 'login';
    this.afterLogin = then;
  }

  openRegister(): void {
    this.overlay = 'register';
  }

  closeOverlay(): void {
    this.overlay = 'none';
    this.afterLogin = '';
    if (!this.ended) return;
    this.leaving = true;
    this.reset();
  }

  openSupport(): void {
    this.supportVisible = true;
  }

  closeSupport(): void {
    this.supportVisible = false;
  }

  /** Loads the app config once (specification, section 2); a failure is tried again at the next navigation. */
  loadConfig(): Promise<void> {
    if (this.config) return Promise.resolve();
    this.configUnderWay ??= api
      .fetchConfig()
      .then((wire) =>
        runInAction(() => {
          this.config = toConfig(wire);
        }),
      )
      .catch(() => {})
      .finally(() => {
        this.configUnderWay = null;
      });
    return this.configUnderWay;
  }

  /** After login, registration or WeChat: keeps the token, fetches the user, greets, checks for a coupon. Rejects when either is missing. */
  async signIn(answer: Partial<TokenAnswer> | null): Promise<void> {
    if (!answer?.access_token) {
      this.events.onLoginWithoutToken();
      throw new Error('login interface abnormal');
    }
    const before = this.ended ? this.user : null;
    this.ended = false;
    this.leaving = false;
    this.token = `${answer.token_type || 'Bearer'} ${answer.access_token}`;
    writeStored(tokenKey, this.token);
    // A call of an earlier token would answer for somebody else.
    this.userUnderWay = null;
    try {
      await this.refreshUser();
    } catch (error) {
      // A token without its user is worth nothing: the shopper signs in again rather than half.
      this.reset();
      throw new SignInIncomplete({ cause: error });
    }
    if (!this.user) throw new SignInIncomplete();
    if (before && before.id !== this.user.id) return this.events.onSomebodyElse();
    this.events.onGreeting(greetingOf(new Date().getHours()), this.user.nickname || this.user.phone);
    this.events.checkCoupon();
    // What a guest saw may read differently for this user: prices for VIPs, limits, coupons. The same user goes on with what is there.
    await (before ? invalidate([]) : resetPageData());
  }

  /** A token without a user: checks for a coupon and fetches the user; a failure resets the session. */
  ensureUser(): Promise<void> {
    if (!this.hasToken || this.hasUser) return Promise.resolve();
    if (!this.userUnderWay) this.events.checkCoupon();
    const token = this.token;
    return this.refreshUser().catch(() => {
      if (this.token === token) this.reset();
    });
  }

  refreshUser(): Promise<void> {
    if (this.userUnderWay) return this.userUnderWay;
    const token = this.token;
    const started = api
      .fetchUser()
      .then((wire) =>
        runInAction(() => {
          // Signed out or someone else in the meantime: this answer is nobody's.
          if (this.token !== token) return;
          if (!wire?.id) this.reset();
          else this.user = toUser(wire);
        }),
      )
      .finally(() => {
        if (this.userUnderWay === started) this.userUnderWay = null;
      });
    this.userUnderWay = started;
    return started;
  }

  async logout(): Promise<void> {
    this.leaving = true;
    if (this.token) await api.revokeToken().catch(() => {});
    this.reset();
  }

  /** Code 401. `keepsPage`: the page is one that needs a session, so that what was typed there stays until the shopper has decided. */
  expire(keepsPage: boolean): void {
    if (this.ended) return;
    if (!keepsPage || !this.user || this.leaving) {
      this.reset();
      return;
    }
    this.ended = true;
    this.token = '';
    this.userUnderWay = null;
    writeStored(tokenKey, '');
    this.openLogin();
  }

  /** Forgets everything that belongs to the user: sign-out, code 401, a failed user info. */
  reset(): void {
    const wasSignedIn = this.hasToken;
    this.ended = false;
    this.token = '';
    this.user = null;
    this.userUnderWay = null;
    writeStored(tokenKey, '');
    if (!wasSignedIn) return;
    void resetPageData();
    this.events.onSignedOut();
  }

  /** Another tab signed in or out, or changed language or theme; null: it cleared everything. */
  followStorage(key: string | null): void {
    if (key === languageKey || key === null) {
      const language = readStored(languageKey);
      if (languages.includes(language as Language)) this.setLanguage(language as Language);
    }
    if (key === themeKey || key === null) this.themeChoice = toThemeChoice(readStored(themeKey));
    if (key === tokenKey || key === null) {
      const token = readStored(tokenKey);
      if (token === this.token) return;
      if (!token) this.reset();
      else void this.followSignIn(token);
    }
  }

  private async followSignIn(token: string): Promise<void> {
    const before = this.ended ? this.user : null;
    this.ended = false;
    this.leaving = false;
    this.userUnderWay = null;
    this.token = token;
    if (!before) {
      this.user = null;
      void this.ensureUser();
      return resetPageData();
    }
    this.closeOverlay();
    await this.refreshUser().catch(() => this.token === token && this.reset());
    if (this.user && this.user.id !== before.id) this.events.onSomebodyElse();
    else if (this.user) await invalidate([]);
  }
}

function toThemeChoice(stored: string): ThemeChoice {
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** The wire's user becomes the client's; wire names end here. */
function toUser(wire: UserInfo): User {
  return {
    id: String(wire.id),
    avatar: wire.avatar ?? '',
    balance: wire.balance,
    balances: wire.balances,
    frozen: wire.frozen,
    birthday: wire.birthday ?? '',
    email: wire.email ?? '',
    idCardCode: wire.id_card_code ?? '',
    isReal: wire.is_real ?? 0,
    isUsable: wire.is_usable ?? 0,
    name: wire.name ?? '',
    nickname: wire.nickname ?? '',
    openid: wire.openid ?? '',
    phone: wire.phone ?? '',
    sex: wire.sex ?? 0,
    hasPassword: wire.has_password,
    inviteCode: wire.invite_code ?? '',
  };
}

/** Both spellings stand in different places of the specification; one leaves here. */
function toConfig(wire: WireConfig): AppConfig {
  return {
    logo: wire.logo ?? '',
    customerQrcode: wire.customerQrcode || wire.customer_qrcode || '',
    workTime: wire.workTime || wire.work_time || '',
    customerLink: wire.customerLink || wire.customer_link || '',
    icp: wire.icp ?? '',
    copyright: wire.copyright ?? '',
    gameWebsiteUrl: wire.game_website_url ?? '',
    social: wire.social ?? [],
  };
}
