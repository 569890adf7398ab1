/** Small parts that the payment providers share. */

/** Where a provider sends its notices. */
export const callbackAddress = (publicUrl: string, code: string) => `${publicUrl}/api/front/payment/callback/${code}`;
/** Where a provider sends the shopper back; the shop leads on to the order or the wallet from there. */
export const returnAddress = (publicUrl: string, paymentNo: string) => `${publicUrl}/cashier/${paymentNo}/return`;

export const isSafeAmount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** A header that came exactly once; '' else. */
export function headerOf(headers: Record<string, string | string[] | undefined>, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

export function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
