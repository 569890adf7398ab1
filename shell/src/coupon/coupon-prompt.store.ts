import { natives } from '@platform/host/natives';
import type { Coupon } from '@shop/server/wire';
import { get, newIdempotencyKey, post } from '@shop/shared/http';
import { makeAutoObservable, runInAction } from '@shop/shared/state';

const quiet = { quiet: true };

/** Session storage: the id of the dismissed coupon. */
const dismissedKey = 'coupon-later';

/** The duration of a toast. */
const greetingMs = 2000;

/**
 * The coupon-receive prompt and its result (docs/product.md#coupons). The prompt comes after the greeting, and only on the home
 * page, so that it interrupts no purchase.
 */
export class CouponPromptStore {
  visible = false;
  isGreeting = false;
  coupon: Coupon | null = null;
  receiving = false;
  /** `at` is an ISO time. */
  result: { isReceived: boolean; at: string } | null = null;
  /** The same for a second click and for a retry. */
  #idempotencyKey = '';
  /** The prompt waits for a page on which it may be shown. */
  #isDue = false;

  constructor() {
    makeAutoObservable(this, {}, { autoBind: true });
  }

  waitForGreeting(): void {
    this.isGreeting = true;
    setTimeout(() => {
      runInAction(() => {
        this.isGreeting = false;
      });
    }, greetingMs);
  }

  /** Checks for a coupon. Failures show no message (docs/product.md#errors). */
  async check(): Promise<void> {
    try {
      this.#isDue = Boolean(await get('/api/front/coupon/check', undefined, quiet));
    } catch {
      // Failures show no message.
    }
    await this.promptIfDue();
  }

  /** Also called after a navigation. */
  async promptIfDue(): Promise<void> {
    if (!this.#isDue || window.location.pathname !== '/home') return;
    this.#isDue = false;
    try {
      const coupon = await get('/api/front/coupon/getCoupon', undefined, quiet);
      runInAction(() => {
        this.coupon = coupon;
        this.visible = coupon !== null && natives.sessionStorage.read(dismissedKey) !== String(coupon.id);
        this.#idempotencyKey = newIdempotencyKey();
      });
    } catch {
      // Failures show no message.
    }
  }

  async receive(): Promise<void> {
    if (!this.coupon || this.receiving) return;
    this.receiving = true;
    try {
      const idempotencyKey = this.#idempotencyKey;
      await post('/api/front/coupon/receive', { coupon_id: this.coupon.id }, { ...quiet, idempotencyKey });
      this.finish(true);
    } catch {
      this.finish(false);
    }
  }

  private finish(isReceived: boolean): void {
    this.receiving = false;
    if (!this.coupon) return;
    this.visible = false;
    this.result = { isReceived, at: new Date().toISOString() };
  }

  close(): void {
    this.visible = false;
    if (this.coupon) natives.sessionStorage.write(dismissedKey, String(this.coupon.id));
  }

  hide(): void {
    this.#isDue = false;
    this.visible = false;
    this.coupon = null;
    this.result = null;
  }

  closeResult(): void {
    this.result = null;
  }
}
