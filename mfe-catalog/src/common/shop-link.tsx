import { Link } from '@shop/shared/router';
import type { ReactNode } from 'react';
import { linkTarget } from './link-target';
import { prefetchAddress } from './prefetch';

interface ShopLinkProps {
  type: number;
  value: string;
  className?: string;
  children: ReactNode;
}

/** A banner's or an item's link by its wire type; without a target it is a plain box of the same look. */
export function ShopLink({ type, value, className, children }: ShopLinkProps) {
  const target = linkTarget(type, value);
  if (!target) return <div className={className}>{children}</div>;
  if (target.kind === 'web') {
    return (
      <a className={className} href={target.href} target="_blank" rel="noopener">
        {children}
      </a>
    );
  }
  return (
    <InsideLink to={target.to} className={className}>
      {children}
    </InsideLink>
  );
}

interface InsideLinkProps {
  to: string;
  className?: string;
  children: ReactNode;
}

/** A link inside the shop that fetches ahead on touch, hover and keyboard focus. */
export function InsideLink({ to, className, children }: InsideLinkProps) {
  const prefetch = () => prefetchAddress(to);
  return (
    <Link className={className} to={to} onPointerEnter={prefetch} onTouchStart={prefetch} onFocus={prefetch}>
      {children}
    </Link>
  );
}
