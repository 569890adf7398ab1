import { Icon } from '@shop/shared/ui';
import { useTexts } from '../texts';
import { type SortOrder, sortOrders } from './goods-query';

interface SortSelectProps {
  value: SortOrder;
  onChange: (order: SortOrder) => void;
}

export function SortSelect({ value, onChange }: SortSelectProps) {
  const { t } = useTexts();
  return (
    <span className="catalog-sort">
      <select
        aria-label={t('sort.label')}
        value={value}
        onChange={({ target }) => target.value !== value && onChange(target.value as SortOrder)}
      >
        {sortOrders.map((order) => (
          <option key={order} value={order}>
            {t(`sort.${order}`)}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" size={16} />
    </span>
  );
}
