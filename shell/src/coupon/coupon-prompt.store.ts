import type { Coupon } from '@shop/server/wire';
import { newIdempotencyKey } from '@shop/shared/http';
import { makeAutoObservable, runInAction } from '@shop/shared/state';
import { readForTab, writeForTab } from '../storage';
import * as api from './coupon.api';

export type ReceiveResult = 'SUCCESS' | 'FAIL';

/** The coupon-receive prompt and its result (specification, section 4). */
export class CouponPromptStore {
  visible = false;
  coupon: Coupon | null = null;
  receiving = false;
  result: ReceiveResult | null = null;
  /** ISO time of the result. */
  finishedAt = '';
  /** One key for the one intent, so that a second press or a retry receives once. */
  private key = '';

  constructor() {
    makeAutoObservable<this, 'key'>(this, { key: false }, { autoBind: true });
  }

  /** Opens when the check answers something; fetches the current coupon. Failures stay silent. */
  async check(): Promise<void> {
    try {
      if (!(await api.checkCoupon())) return;
      const coupon = await api.getCoupon();
      runInAction(() => {
        this.coupon = coupon;
        this.visible = coupon !== null && readForTab(dismissedKey) !== String(coupon.id);
        this.key = newIdempotencyKey();
      });
    } catch {
      // Specification, section 8: a failed coupon fetch shows no message.
    }
  }

  async receive(): Promise<void> {
    if (!this.coupon || this.receiving) return;
    this.receiving = true;
    try {
      await api.receiveCoupon(this.coupon.id, this.key);
      this.finish('SUCCESS');
    } catch {
      this.finish('FAIL');
    }
  }

  private finish(result: ReceiveResult): void {
    this.receiving = false;
    // Signed out meanwhile: there is nobody to tell.
    if (!this.coupon) return;
    this.visible = false;
    this.result = result;
    this.finishedAt = new Date().toISOString();
  }

  /** "Later" holds for this tab: a reload does not ask again for the same coupon. */
  close(): void {
    this.visible = false;
    if (this.coupon) writeForTab(dismissedKey, String(this.coupon.id));
  }

  /** The shopper has signed out: neither the coupon nor its result is theirs any more. */
  hide(): void {
    this.visible = false;
    this.coupon = null;
    this.result = null;
  }

  closeResult(): void {
    this.result = null;
  }
}

const dismissedKey = 'coupon-later';
