import {
  ProviderRefusal,
  type SupplierOffer,
  type SupplierProvider,
  type SupplyAnswer,
  type SupplyOrder,
} from '../../../src/providers/providers';

export const supplierFaults = [
  'none',
  'refuses',
  'slow',
  'outlives its lease',
  'refuses, then delivers',
  'refuses twice, then delivers',
  'loses the answer',
  'loses the order',
  'refuses connections',
  'answers 500',
] as const;
type SupplierFault = (typeof supplierFaults)[number];

interface SupplierOrder {
  sent: number;
  queried: number;
  delivered: number;
}

export class FaultySupplier implements SupplierProvider {
  readonly name = 'faulty';
  readonly orders = new Map<string, SupplierOrder>();
  plan: (reference: string) => SupplierFault = () => 'none';
  meanwhile: (reference: string) => Promise<unknown> = async () => {};
  answered: SupplierOffer[] = [];
  polls = 0;

  async order({ reference }: SupplyOrder): Promise<SupplyAnswer> {
    const fault = this.plan(reference);
    const order = this.of(reference);
    if (fault === 'refuses connections' && order.queried++ < 2) throw new ProviderRefusal('connection refused');
    if (fault === 'loses the order') throw new Error('socket hang up');
    order.sent += 1;
    await this.meanwhile(reference);
    switch (fault) {
      case 'refuses':
      case 'refuses, then delivers':
      case 'refuses twice, then delivers':
        return { kind: 'failed', detail: 'out of stock' };
      case 'slow':
        return { kind: 'pending' };
      case 'answers 500':
        throw new Error('answered 500');
    }
    const answer = this.deliver(order);
    if (fault === 'loses the answer') throw new Error('socket hang up');
    return answer;
  }

  async query(reference: string): Promise<SupplyAnswer | undefined> {
    const fault = this.plan(reference);
    const order = this.of(reference);
    order.queried += 1;
    if (!order.sent) return undefined;
    switch (fault) {
      case 'refuses':
        return { kind: 'failed', detail: 'out of stock' };
      case 'slow':
        return order.queried < 3 ? { kind: 'pending' } : this.deliver(order);
      case 'outlives its lease':
        return order.delivered ? this.deliver(order) : undefined;
      case 'refuses twice, then delivers':
        return order.queried < 2 ? { kind: 'failed', detail: 'out of stock' } : this.deliver(order);
      case 'answers 500':
        if (order.queried < 3) throw new Error('answered 500');
        return { kind: 'failed', detail: 'out of stock' };
      default:
        return this.deliver(order);
    }
  }

  async offers(): Promise<SupplierOffer[]> {
    this.polls += 1;
    await this.meanwhile('offers');
    return this.answered;
  }

  async validateAccount(): Promise<undefined> {}

  of(reference: string): SupplierOrder {
    const order = this.orders.get(reference) ?? { sent: 0, queried: 0, delivered: 0 };
    this.orders.set(reference, order);
    return order;
  }
  private deliver(order: SupplierOrder): SupplyAnswer {
    order.delivered = 1;
    return { kind: 'done', detail: 'T-1' };
  }
}
