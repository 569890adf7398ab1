import type { Coupon } from '@shop/server/wire';
import { newIdempotencyKey } from '@shop/shared/http';
import { makeAutoObservable, runInAction } from '@shop/shared/state';
import { readForTab, writeForTab } from '../storage';
import * as api from './coupon.api';

/** Session storage: the id of the dismissed coupon. */
const dismissedKey = 'coupon-later';

export type ReceiveResult = 'SUCCESS' | 'FAIL';

/** The coupon-receive prompt and its result (specification, section 4). */
export class CouponPromptStore {
  visible = false;
  coupon: Coupon | null = null;
  receiving = false;
  result: ReceiveResult | null = null;
  /** ISO time of the result. */
  finishedAt = '';
  /** The same for a second press and for a retry. */
  private idempotencyKey = '';

  constructor() {
    makeAutoObservable<this, 'idempotencyKey'>(this, { idempotencyKey: false }, { autoBind: true });
  }

  /** Opens the prompt when a coupon waits. Failures show no message (specification, section 8). */
  async check(): Promise<void> {
    try {
      if (!(await api.checkCoupon())) return;
      const coupon = await api.getCoupon();
      runInAction(() => {
        this.coupon = coupon;
        this.visible = coupon !== null && readForTab(dismissedKey) !== String(coupon.id);
        this.idempotencyKey = newIdempotencyKey();
      });
    } catch {
      // No message.
    }
  }

  async receive(): Promise<void> {
    if (!this.coupon || this.receiving) return;
    this.receiving = true;
    try {
      await api.receiveCoupon(this.coupon.id, this.idempotencyKey);
      this.finish('SUCCESS');
    } catch {
      this.finish('FAIL');
    }
  }

  private finish(result: ReceiveResult): void {
    this.receiving = false;
    // The shopper signed out meanwhile.
    if (!this.coupon) return;
    this.visible = false;
    this.result = result;
    this.finishedAt = new Date().toISOString();
  }

  /** Dismisses this coupon for this tab, reloads included. */
  close(): void {
    this.visible = false;
    if (this.coupon) writeForTab(dismissedKey, String(this.coupon.id));
  }

  /** After sign-out. */
  hide(): void {
    this.visible = false;
    this.coupon = null;
    this.result = null;
  }

  closeResult(): void {
    this.result = null;
  }
}
