import type { FieldValues, ValidateAccountAnswer } from '@shop/server/wire';
import { useState } from 'react';
import { validateAccount } from './goods-detail.api';

export interface AccountCheck {
  /** The answer for exactly these fields, if they were checked. */
  resultFor(fields: FieldValues): ValidateAccountAnswer | null;
  isChecking: boolean;
  /** Rejects with ApiError GameAccountNotVerified for an unknown account. */
  run(fields: FieldValues): Promise<ValidateAccountAnswer>;
  forget(): void;
}

/** The server's token is valid for ten minutes (docs/product.md#catalogue); the last minute is left for buying. */
const goodForMs = 9 * 60_000;

interface Checked {
  fingerprint: string;
  answer: ValidateAccountAnswer;
  until: number;
}

export function useAccountCheck(goodsId: number): AccountCheck {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [isChecking, setChecking] = useState(false);
  return {
    isChecking,
    resultFor: (fields) =>
      checked && checked.fingerprint === JSON.stringify(fields) && Date.now() < checked.until ? checked.answer : null,
    run: async (fields) => {
      setChecking(true);
      try {
        const answer = await validateAccount(goodsId, fields);
        setChecked({ fingerprint: JSON.stringify(fields), answer, until: Date.now() + goodForMs });
        return answer;
      } finally {
        setChecking(false);
      }
    },
    forget: () => setChecked(null),
  };
}
