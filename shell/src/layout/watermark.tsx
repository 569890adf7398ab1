import './watermark.css';
import { Icon, type IconName } from '@shop/shared/ui';
import { memo, type ReactNode } from 'react';

/** Four a row, as in the CSS (docs/product.md#layout). */
const rows: IconName[][] = [
  ['games', 'star', 'gift', 'bolt'],
  ['card', 'coupon', 'games', 'star'],
  ['wallet', 'bolt', 'gift', 'card'],
  ['games', 'coupon', 'star', 'bolt'],
];

export const Watermark = memo(function Watermark(): ReactNode {
  return (
    <div className="shell-watermark" aria-hidden="true">
      {rows.flat().map((name, index) => (
        <span key={index} className="shell-watermark__icon">
          <Icon name={name} />
        </span>
      ))}
    </div>
  );
});
