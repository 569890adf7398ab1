import { invalidate } from '@shop/shared/query';
import { makeAutoObservable } from '@shop/shared/state';

/** Counts changes to orders made here, so that a kept list knows that what it shows is old. */
class OrdersVersion {
  value = 0;
  constructor() {
    makeAutoObservable(this);
  }
  changed(): void {
    this.value += 1;
  }
}
const version = new OrdersVersion();

/** Read inside an observer. */
export const useOrdersVersion = (): number => version.value;

/** After an order has moved: what is on screen is asked for again. */
export async function ordersChanged(): Promise<void> {
  version.changed();
  await invalidate(['orders', 'info']);
}
