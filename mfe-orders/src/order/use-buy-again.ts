import { useNavigate } from '@shop/shared/router';
import { toast } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { buyAgain } from './orders.api';
import { useOrderAction } from './use-order-action';

/** Opens the goods page with the same choice made. */
export function useBuyAgain(orderNo: string): { start: () => void; isPending: boolean } {
  const { t } = useTexts();
  const navigate = useNavigate();
  return useOrderAction(async () => {
    const again = await buyAgain(orderNo);
    if (!again.available) return toast.error(t('action.unavailable'));
    const choice = new URLSearchParams({ quantity: String(again.quantity) });
    if (again.spec_id !== null) choice.set('spec_id', String(again.spec_id));
    if (again.custom_value !== null) choice.set('custom_value', String(again.custom_value));
    // The field values of that order, without secrets.
    navigate(`/goods/${again.goods_id}?${choice}`, { state: { fields: again.fields } });
  });
}
