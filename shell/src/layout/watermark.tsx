import './watermark.css';
import { Icon, type IconName } from '@shop/shared/ui';
import { memo, type ReactNode } from 'react';

/** docs/product.md#layout */
const icons: IconName[] = [
  'games',
  'star',
  'gift',
  'bolt',
  'card',
  'coupon',
  'games',
  'star',
  'wallet',
  'bolt',
  'gift',
  'card',
  'games',
  'coupon',
  'star',
  'bolt',
];

export const Watermark = memo(function Watermark(): ReactNode {
  return (
    <div className="shell-watermark" aria-hidden="true">
      {icons.map((name, index) => (
        <span key={index} className="shell-watermark__icon">
          <Icon name={name} />
        </span>
      ))}
    </div>
  );
});
