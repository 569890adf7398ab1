import type { Currency } from '../platform/http/schemas';
import { ProviderRefusal } from './providers';

/** What the providers behind a real payment service have in common. */
export abstract class RemotePayments<Settings> {
  abstract readonly code: string;
  /** As it is named in errors. */
  protected abstract readonly serviceName: string;

  constructor(
    protected readonly settings: Settings,
    private readonly publicUrl: string,
    readonly currencies: readonly Currency[],
  ) {}

  /** Where the provider sends its notices. */
  protected get callbackUrl(): string {
    return `${this.publicUrl}/api/front/payment/callback/${this.code}`;
  }

  /** Where the provider sends the shopper back; the shop redirects from there to the order or the wallet. */
  protected returnUrl(paymentNo: string): string {
    return `${this.publicUrl}/cashier/${paymentNo}/return`;
  }

  /** What to throw for a failed call: ProviderRefusal with a reason, else an error that leaves the outcome open. */
  protected failure(error: unknown, refusal: string | false | undefined): Error {
    if (refusal) return new ProviderRefusal(refusal);
    // The message only: the error of an SDK may hold the signed request.
    return new Error(`${this.serviceName} did not answer: ${(error as Error).message}`);
  }
}

/** The result of a call, or `fallback` when the provider refuses it for a reason that matches. */
export async function unlessRefused<T, F>(call: Promise<T>, reason: RegExp, fallback: F): Promise<T | F> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderRefusal && reason.test(error.message)) return fallback;
    throw error;
  }
}
