import * as domain from '@shop/shared/domain';

export const CardState = { Free: 0, Reserved: 1, Sold: 2, Void: 3 } as const;
export const RequestState = { ToSend: 0, Open: 1, Delivered: 2, Refused: 3, DeliveredAfterRefund: 4 } as const;

const enumerations: Record<string, unknown> = { ...domain, CardState, RequestState };

/** Replaces {OrderStatus.Paid} in the text of a database function with its number. Throws for an unknown name. */
export const withNumbers = (sql: string): string =>
  sql.replace(/\{([A-Z]\w*)\.(\w+)\}/g, (placeholder, list: string, name: string) => {
    const number = (enumerations[list] as Record<string, unknown> | undefined)?.[name];
    if (typeof number !== 'number') throw new Error(`no number is named ${placeholder}`);
    return String(number);
  });
