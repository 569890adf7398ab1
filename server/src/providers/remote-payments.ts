import type { Currency } from '../platform/http/schemas';
import { ProviderRefusal } from './providers';

export abstract class RemotePayments<Settings> {
  abstract readonly code: string;
  protected abstract readonly serviceName: string;

  constructor(
    protected readonly settings: Settings,
    private readonly publicUrl: string,
    readonly currencies: readonly Currency[],
  ) {}

  protected get callbackUrl(): string {
    return `${this.publicUrl}/api/front/payment/callback/${this.code}`;
  }

  protected returnUrl(paymentNo: string): string {
    return `${this.publicUrl}/cashier/${paymentNo}/return`;
  }

  /** The error of a failed call: ProviderRefusal with a reason, otherwise an error that leaves the outcome open. */
  protected failure(error: unknown, refusal: string | false | undefined): Error {
    if (refusal) return new ProviderRefusal(refusal);
    // Only the message is used, because the error of an SDK may contain the signed request.
    return new Error(`${this.serviceName} did not answer: ${(error as Error).message}`);
  }
}

/** Resolves to undefined if the provider refuses the call for this reason. */
export const unlessRefused = <T>(call: Promise<T>, reason: RegExp): Promise<T | undefined> =>
  call.catch((error) => {
    if (error instanceof ProviderRefusal && reason.test(error.message)) return undefined;
    throw error;
  });
