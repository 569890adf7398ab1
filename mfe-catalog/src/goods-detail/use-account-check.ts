import type { FieldValues, ValidateAccountAnswer } from '@shop/server/wire';
import { useState } from 'react';
import { validateAccount } from './goods-detail.api';

export type AccountCheck = ReturnType<typeof useAccountCheck>;

/** The server's token is valid for ten minutes (docs/product.md#catalogue); the last minute is left for buying. */
const goodForMs = 9 * 60_000;

interface Checked {
  fingerprint: string;
  answer: ValidateAccountAnswer;
  until: number;
}

export function useAccountCheck(goodsId: number) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [isChecking, setChecking] = useState(false);
  return {
    isChecking,
    /** The answer for exactly these fields, if they were checked. */
    resultFor: (fields: FieldValues) =>
      checked && checked.fingerprint === JSON.stringify(fields) && Date.now() < checked.until ? checked.answer : null,
    /** Rejects with ApiError GameAccountNotVerified for an unknown account. */
    run: async (fields: FieldValues) => {
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
