/** Where a link of the shop may lead: one rule for what is stored, imported and sent out (ADR 0017). */
import { LinkType } from '@shop/shared/domain';
import { hasControlCharacters } from './plain-text';

/** Browsers leave some of these out and read a backslash as a slash, so what a user reads is not where the link leads. */
const isReadable = (text: string) => !/[\s\\]/.test(text) && !hasControlCharacters(text);

/** https to a named host, without a name and password before it ("https://shop.example@evil.example"). */
export function isWebAddress(text: string): boolean {
  const authority = /^https:\/\/([^/?#]+)/.exec(text)?.[1];
  return authority !== undefined && !authority.includes('@') && isReadable(text) && URL.canParse(text);
}

/** A path of the shop, from its root: no other host ("//evil.example"). */
export const isShopPath = (text: string): boolean => /^\/(?!\/)/.test(text) && isReadable(text);

/** Query of the list of goods; "category=mobile", "?category_id=3" and "/goods?category_id=3" mean the same. */
export const isListQuery = (text: string): boolean => /^(?:\/?goods\/?)?\??[^/?#:<>"]*$/.test(text) && isReadable(text);

/** Of a banner or an item, with keys as people enter them or ids as the shop stores and sends them. */
export function isLink(type: number, value: string): boolean {
  switch (type) {
    case LinkType.None:
      return value === '';
    case LinkType.Goods:
      return /^[\w.+-]{1,60}$/.test(value);
    case LinkType.List:
      return isListQuery(value);
    case LinkType.Article:
      return /^[a-z0-9-]{1,60}$/.test(value);
    case LinkType.Web:
      return isWebAddress(value);
    default:
      return false;
  }
}

interface Linked {
  link_type: number;
  link_value: string;
}

/** What an older version has stored may break the rule: it is sent without its link. */
export const sentLink = <T extends Linked>(linked: T): T =>
  isLink(linked.link_type, linked.link_value) ? linked : { ...linked, link_type: LinkType.None, link_value: '' };

/** Of a text in HTML: a place on the page, the shop, the web, or a user to write to or call. */
export const isTextLink = (href: string): boolean =>
  isReadable(href) && (/^(?:#|(?:mailto|tel):[^/])/.test(href) || isShopPath(href) || isWebAddress(href));

/** A schema's pattern of a picture's address: the shop's own, or on the web. */
export const PICTURE_PATTERN = '^(/media/|/uploads/|https://(?!/))(?!.*\\.\\.)[\\w./%-]+$';
const picture = new RegExp(PICTURE_PATTERN);
export const isPicture = (text: string): boolean => picture.test(text);
