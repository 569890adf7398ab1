import { useOrderAgain, type WalletStep } from '@shop/shared/payment';
import { useTexts } from '../texts';

export function useBuyAgain(orderNo: string, wallet?: WalletStep): { start: () => void; isPending: boolean } {
  const { t } = useTexts();
  const again = useOrderAgain({ unavailable: t('action.unavailable'), failed: t('action.againFailed') }, wallet);
  return { start: () => again.start(orderNo), isPending: again.pending !== null };
}
