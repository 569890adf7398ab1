import { LinkType } from '@shop/shared/domain';
import { linkTo } from '@shop/shared/links';
import { Link } from '@shop/shared/router';
import type { ReactNode } from 'react';

/** The address of a banner or item (docs/product.md#catalogue); null for a picture without a link. */
export function linkTarget(type: number, value: string): string | null {
  switch (type) {
    case LinkType.Goods:
      return /^\d+$/.test(value) ? linkTo('goods-detail', { id: value }) : null;
    case LinkType.List:
      return listAddress(value);
    case LinkType.Article:
      return value ? linkTo('article', { id: value }) : null;
    case LinkType.Web:
      return isHttps(value) ? value : null;
    default:
      return null;
  }
}

/** "category_id=3", "?category_id=3" and "/goods?category_id=3" mean the same. */
export function listAddress(value: string): string {
  const query = value.replace(/^\/?goods\/?/, '').replace(/^\?/, '');
  return query ? `${linkTo('goods-list')}?${query}` : linkTo('goods-list');
}

/** Allows https only: no javascript:, data: or http:. */
function isHttps(value: string): boolean {
  try {
    return new URL(value).protocol === 'https:';
  } catch {
    return false;
  }
}

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
