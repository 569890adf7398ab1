import { makeAutoObservable } from '@shop/shared/state';

/** Login, register, support and the navigation drawer. Login and register exclude each other (docs/product.md#layout). */
export class OverlayStore {
  account: 'none' | 'login' | 'register' = 'none';
  /** The address to open after a successful login. */
  addressAfterLogin = '';
  /** The user signs in to continue a purchase: no greeting and no prompt are shown. */
  isLoginToBuy = false;
  supportVisible = false;
  drawerVisible = false;

  readonly #onAccountClosed: () => void;
  #answerLogin: (isSignedIn: boolean) => void = () => {};

  constructor(onAccountClosed: () => void) {
    this.#onAccountClosed = onAccountClosed;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  openLogin(then = '', purpose?: 'buy'): Promise<boolean> {
    this.#answerLogin(false);
    this.account = 'login';
    this.addressAfterLogin = then;
    this.isLoginToBuy = purpose === 'buy';
    return new Promise((resolve) => {
      this.#answerLogin = resolve;
    });
  }

  openRegister(): void {
    this.account = 'register';
  }

  /** Returns from the registration to the login, with its purpose. */
  backToLogin(): void {
    this.account = 'login';
  }

  closeAccount(isSignedIn = false): void {
    this.account = 'none';
    this.addressAfterLogin = '';
    this.isLoginToBuy = false;
    this.#answerLogin(isSignedIn);
    this.#onAccountClosed();
  }

  /** Called when another page is shown. */
  closeAll(): void {
    this.closeSupport();
    if (this.account !== 'none') this.closeAccount();
  }

  openSupport(): void {
    this.supportVisible = true;
  }

  closeSupport(): void {
    this.supportVisible = false;
  }

  openDrawer(): void {
    this.drawerVisible = true;
  }

  closeDrawer(): void {
    this.drawerVisible = false;
  }
}
