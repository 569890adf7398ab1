import { Icon } from '@shop/shared/ui';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTexts } from '../texts';
import { type SortOrder, sortOrders } from './goods-query';

const sortKey = {
  default: 'sort.default',
  hot: 'sort.hot',
  new: 'sort.new',
  price_asc: 'sort.priceUp',
  price_desc: 'sort.priceDown',
  name: 'sort.name',
} as const satisfies Record<SortOrder, string>;

interface SortSelectProps {
  value: SortOrder;
  onChange: (order: SortOrder) => void;
}

/** The select-only combobox of the ARIA practices: the focus stays on the button. */
export function SortSelect({ value, onChange }: SortSelectProps) {
  const { t } = useTexts();
  const id = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const show = () => {
    setActive(sortOrders.indexOf(value));
    setOpen(true);
  };
  const choose = (order: SortOrder) => {
    setOpen(false);
    if (order !== value) onChange(order);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = sortOrders.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: Math.min(last, active + 1),
      ArrowUp: Math.max(0, active - 1),
      Home: 0,
      End: last,
    };
    const to = moves[event.key];
    const chosen = sortOrders[active];
    if (!open) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      show();
    } else if (to !== undefined) setActive(to);
    else if (event.key === 'Escape') setOpen(false);
    else if ((event.key === 'Enter' || event.key === ' ') && chosen) choose(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div className="catalog-sort">
      <button
        type="button"
        role="combobox"
        className="catalog-sort__button"
        aria-label={t('sort.label')}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-activedescendant={open ? `${id}-${active}` : undefined}
        onClick={() => (open ? setOpen(false) : show())}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      >
        {t(sortKey[value])}
        <Icon name="chevron-down" size={16} />
      </button>
      {open && (
        <div id={id} role="listbox" aria-label={t('sort.label')} className="catalog-sort__list">
          {sortOrders.map((order, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the button keeps the focus (aria-activedescendant)
            // biome-ignore lint/a11y/useKeyWithClickEvents: the button handles the keys
            <div
              key={order}
              id={`${id}-${index}`}
              role="option"
              aria-selected={order === value}
              className={index === active ? 'catalog-sort__option is-active' : 'catalog-sort__option'}
              // Before blur closes the list.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(order)}
            >
              {t(sortKey[order])}
              {order === value && <Icon name="check" size={18} />}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
