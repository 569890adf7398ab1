/** Defines where a link of the shop may lead: one rule for stored, imported and sent links (ADR 0017). */
import { hasControlCharacters } from '@platform/releases';
import { LinkType } from '@shop/shared/domain';

/** Browsers ignore some of these characters and treat a backslash as a slash, so a link would not lead where it appears to. */
const isReadable = (text: string) => !/[\s\\]/.test(text) && !hasControlCharacters(text);

/** https to a named host, without a user name and password before it ("https://shop.example@evil.example"). */
export function isWebAddress(text: string): boolean {
  const authority = /^https:\/\/([^/?#]+)/.exec(text)?.[1];
  return authority !== undefined && !authority.includes('@') && isReadable(text) && URL.canParse(text);
}

/** A path of the shop, from its root, not another host ("//evil.example"). */
export const isShopPath = (text: string): boolean => /^\/(?!\/)/.test(text) && isReadable(text);

/** Query of the list of goods; "category=mobile", "?category_id=3" and "/goods?category_id=3" are equivalent. */
export const isListQuery = (text: string): boolean => /^(?:\/?goods\/?)?\??[^/?#:<>"]*$/.test(text) && isReadable(text);

const rules: Record<number, (value: string) => boolean> = {
  [LinkType.None]: (value) => value === '',
  [LinkType.Goods]: (value) => /^[\w.+-]{1,60}$/.test(value),
  [LinkType.List]: isListQuery,
  [LinkType.Article]: (value) => /^[a-z0-9-]{1,60}$/.test(value),
  [LinkType.Web]: isWebAddress,
};

/** Link of a banner or an item, with keys as entered by staff or ids as the shop stores and sends them. */
export const isLink = (type: number, value: string): boolean => rules[type]?.(value) ?? false;

export interface Linked {
  link_type: number;
  link_value: string;
}

/** An older version may have stored a link that violates the rule: the item is sent without its link. */
export const sentLink = <T extends Linked>(linked: T): T =>
  isLink(linked.link_type, linked.link_value) ? linked : { ...linked, link_type: LinkType.None, link_value: '' };

/** Link of an HTML text: an anchor on the page, the shop, the web, a mail address or a phone number. */
export const isTextLink = (href: string): boolean =>
  isReadable(href) && (/^(?:#|(?:mailto|tel):[^/])/.test(href) || isShopPath(href) || isWebAddress(href));

/** A schema's pattern of an image's address: the shop's own, or on the web. */
export const PICTURE_PATTERN = '^(/media/|/uploads/|https://(?!/))(?!.*\\.\\.)[\\w./%-]+$';
const picture = new RegExp(PICTURE_PATTERN);
export const isPicture = (text: string): boolean => picture.test(text);
