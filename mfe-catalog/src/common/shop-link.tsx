import { Link } from '@shop/shared/router';
import type { ReactNode } from 'react';
import { linkTarget } from './link-target';

interface ShopLinkProps {
  type: number;
  value: string;
  className?: string;
  children: ReactNode;
}

export function ShopLink({ type, value, className, children }: ShopLinkProps) {
  const target = linkTarget(type, value);
  if (!target) return <div className={className}>{children}</div>;
  const newTab = !target.startsWith('/') && { target: '_blank', rel: 'noopener' };
  return (
    <Link to={target} className={className} {...newTab}>
      {children}
    </Link>
  );
}
