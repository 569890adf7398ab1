import { makeAutoObservable } from '@shop/shared/state';

/** Login, register, support and the navigation drawer. Login and register exclude each other (specification, section 2). */
export class OverlayStore {
  account: 'none' | 'login' | 'register' = 'none';
  /** The address to open after a successful login. */
  addressAfterLogin = '';
  supportVisible = false;
  drawerVisible = false;

  constructor(private readonly onAccountClosed: () => void = () => {}) {
    makeAutoObservable<this, 'onAccountClosed'>(this, { onAccountClosed: false }, { autoBind: true });
  }

  openLogin(then = ''): void {
    this.account = 'login';
    this.addressAfterLogin = then;
  }

  openRegister(): void {
    this.account = 'register';
  }

  closeAccount(): void {
    this.account = 'none';
    this.addressAfterLogin = '';
    this.onAccountClosed();
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
