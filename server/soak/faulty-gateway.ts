import { setTimeout as sleep } from 'node:timers/promises';
import type { DoubleResponse } from '../test/support/doubles/double';
import { FaultySupplier, supplierFaults } from '../test/support/doubles/faulty-supplier';
import { GatewayDouble, type GatewayRequest } from '../test/support/doubles/gateway';

/** How long it works on an order, at most. */
const SLOW_MS = 400;

/** The field `uid` of a top-up whose supplier fails as `pick` says; half of them are delivered at once. */
export const faultyAccount = (pick: number) => `${pick % 2 ? 0 : (pick / 2) % supplierFaults.length}-${pick}`;

/** A supplier's gateway over HTTP that is slow, lies or dies, by the account that an order is for. */
export class FaultyGateway extends GatewayDouble {
  readonly supplier = new FaultySupplier();
  private readonly accounts = new Map<string, string>();

  constructor() {
    super();
    this.supplier.plan = (reference) =>
      supplierFaults[Number.parseInt(this.accounts.get(reference) ?? '0', 10)] ?? 'none';
    this.supplier.meanwhile = (reference) => sleep((reference.charCodeAt(0) * 37) % SLOW_MS);
  }

  protected override async serve(
    url: string,
    { reference, fields }: GatewayRequest,
  ): Promise<DoubleResponse | undefined> {
    if (url === '/accounts/query') return super.serve(url, { reference, fields });
    if (fields?.uid) this.accounts.set(reference, fields.uid);
    try {
      const sent = { reference, quantity: 1, goodsKey: '', specKey: '', fields: fields ?? {}, sentAt: new Date() };
      const answer = url === '/orders' ? await this.supplier.order(sent) : await this.supplier.query(reference);
      return this.signed(url, 200, { reference, state: answer?.kind ?? 'unknown' });
    } catch (error) {
      return (error as Error).message.includes('500') ? this.signed(url, 500, {}) : undefined;
    }
  }
}
