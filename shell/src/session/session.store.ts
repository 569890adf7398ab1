import { natives } from '@platform/host/natives';
import type { TokenAnswer, UserInfo } from '@shop/server/wire';
import { get, isApiError, post } from '@shop/shared/http';
import { invalidate, resetQueries } from '@shop/shared/query';
import type { User } from '@shop/shared/session';
import { makeAutoObservable, runInAction } from '@shop/shared/state';
import { toast } from '@shop/shared/ui';
import { t } from '../texts';

const revokeToken = (): Promise<unknown> => post('/api/front/app/logout', undefined, { quiet: true });
const fetchUser = (): Promise<UserInfo> => get('/api/front/user/info', undefined, { quiet: true });

const tokenKey = 'token';

/** The shell's reactions to changes of the session. */
interface SessionEvents {
  onSignedIn(user: User): void;
  checkCoupon(): void;
  onSignedOut(): void;
  /** The server ended the session of a guarded page, which stays visible. */
  onExpired(): void;
  /** Another tab signed in while this one waited for the login. */
  onSignedInElsewhere(): void;
  /** Another user signed in over the page of an expired session. */
  onUserChanged(): void;
}

/** The token arrived, the user did not; the session has been reset. */
export class SignInIncomplete extends Error {
  constructor(options?: ErrorOptions) {
    super('signed in, but the user info did not arrive', options);
  }
}

export class SessionStore {
  token = '';
  user: User | null = null;
  /**
   * The server ended the session on a guarded page. Page, user and form input stay beneath the login, and calls carry no token.
   * Signing in resumes there; closing the login resets the session.
   */
  expired = false;
  /** The user signed out or closed the login of an expired session: leaving the guarded page opens no login. */
  suppressLogin = false;

  #events: SessionEvents | null = null;
  #userInFlight: Promise<void> | null = null;

  constructor() {
    makeAutoObservable(this, { hasStoredToken: false }, { autoBind: true });
  }

  /** Browser only: reads local storage. */
  restore(): void {
    this.token = natives.localStorage.read(tokenKey);
  }

  /** Called before the first render of a page that was rendered for this user. */
  startWith(info: UserInfo, token = natives.localStorage.read(tokenKey)): void {
    this.token = token;
    this.user = toUser(info);
  }

  connect(events: SessionEvents): void {
    this.#events = events;
  }

  /** Also used before `restore`: a user may click a link during hydration. */
  hasStoredToken(): boolean {
    return this.token !== '' || natives.localStorage.read(tokenKey) !== '';
  }

  get hasToken(): boolean {
    return this.token !== '' || this.expired;
  }

  get hasUser(): boolean {
    return this.user !== null;
  }

  /** Used by login, registration and WeChat. Rejects when the answer has no token, or the user info fails. */
  async signIn(answer: Partial<TokenAnswer> | null): Promise<void> {
    if (!answer?.access_token) {
      toast.error(t('login.abnormal'));
      throw new Error('login interface abnormal');
    }
    const wasGuest = !this.hasToken;
    const token = `${answer.token_type || 'Bearer'} ${answer.access_token}`;
    const waiting = this.acceptToken(token);
    natives.localStorage.write(tokenKey, token);
    try {
      await this.refreshUser();
    } catch (error) {
      this.resetIfToken(token);
      throw new SignInIncomplete({ cause: error });
    }
    if (!this.user) throw new SignInIncomplete();
    if (waiting && waiting.id !== this.user.id) return this.#events?.onUserChanged();
    this.#events?.onSignedIn(this.user);
    this.#events?.checkCoupon();
    // Prices, limits and coupons differ between a guest and a user. The data of the guest, or of the same user, stays until it is
    // refetched; the sign-in does not wait for that, because a call without an answer would keep its dialog open.
    void (wasGuest || waiting ? invalidate([]) : resetQueries());
  }

  /** Fetches the user of a restored token. A refusal resets the session; after a lost connection the next call tries again. */
  async ensureUser(): Promise<void> {
    if (!this.hasToken || this.hasUser) return;
    if (!this.#userInFlight) this.#events?.checkCoupon();
    const { token } = this;
    try {
      await (this.#userInFlight ?? this.refreshUser());
    } catch (error) {
      this.resetIfRefused(token, error);
    }
  }

  /** Always a new request: an earlier one may have been answered before money moved. */
  refreshUser(): Promise<void> {
    const request: Promise<void> = fetchUser()
      .then((wire) =>
        runInAction(() => {
          // A later request is more recent, or the token has changed and the answer is for another session.
          if (this.#userInFlight !== request) return this.#userInFlight ?? undefined;
          if (!wire?.id) this.reset();
          else this.user = toUser(wire);
        }),
      )
      .finally(() => {
        if (this.#userInFlight === request) this.#userInFlight = null;
      });
    this.#userInFlight = request;
    return request;
  }

  async logout(): Promise<void> {
    this.suppressLogin = true;
    const { token } = this;
    const endProgress = toast.loading(t('login.signingOut'));
    if (token) await revokeToken().catch(() => {});
    endProgress();
    // Another tab may have signed in meanwhile.
    this.resetIfToken(token);
  }

  /** Code 401. `keepPage`: the current page is guarded, so it stays beneath the login. */
  expire(keepPage: boolean): void {
    if (this.expired) return;
    if (!keepPage || !this.user || this.suppressLogin) {
      this.reset();
      return;
    }
    this.expired = true;
    this.token = '';
    this.#userInFlight = null;
    natives.localStorage.write(tokenKey, '');
    this.#events?.onExpired();
  }

  /** The login was closed. Ends a session that had expired. */
  declineLogin(): void {
    if (!this.expired) return;
    this.suppressLogin = true;
    this.reset();
  }

  /** Removes all data of the user. */
  reset(): void {
    const wasSignedIn = this.hasToken;
    this.expired = false;
    this.token = '';
    this.user = null;
    this.#userInFlight = null;
    natives.localStorage.write(tokenKey, '');
    if (!wasSignedIn) return;
    void resetQueries();
    this.#events?.onSignedOut();
  }

  /** Follows a sign-in or sign-out of another tab. `key` is a StorageEvent's: null when the storage was cleared. */
  followStorage(key: string | null): void {
    if (key !== tokenKey && key !== null) return;
    const token = natives.localStorage.read(tokenKey);
    if (token === this.token) return;
    if (token) void this.followSignIn(token);
    else this.reset();
  }

  private async followSignIn(token: string): Promise<void> {
    const waiting = this.acceptToken(token);
    if (!waiting) {
      this.user = null;
      void this.ensureUser();
      return resetQueries();
    }
    this.#events?.onSignedInElsewhere();
    await this.refreshUser().catch((error) => this.resetIfRefused(token, error));
    if (this.user && this.user.id !== waiting.id) this.#events?.onUserChanged();
    else if (this.user) await invalidate([]);
  }

  /** Returns the user whose page waits beneath the login, if any. */
  private acceptToken(token: string): User | null {
    const waiting = this.expired ? this.user : null;
    this.expired = false;
    this.suppressLogin = false;
    this.token = token;
    // The answer to a call with the earlier token would be for another session.
    this.#userInFlight = null;
    return waiting;
  }

  private resetIfRefused(token: string, error: unknown): void {
    if (isApiError(error) && error.kind === 'business') this.resetIfToken(token);
  }

  private resetIfToken(token: string): void {
    if (this.token === token) this.reset();
  }
}

/** Missing texts become '' and missing flags 0. */
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
    signInEmail: wire.sign_in_email ?? '',
    sex: wire.sex ?? 0,
    hasPassword: wire.has_password,
    inviteCode: wire.invite_code ?? '',
    unreadNotices: wire.unread_notices ?? 0,
  };
}
