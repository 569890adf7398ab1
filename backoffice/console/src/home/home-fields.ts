import type { StaffBanner, StaffModule, StaffModuleItem } from '@shop/backoffice/wire';
import { type FieldSpec, labelOf } from '../forms/fields';
import { bannerRules, moduleRules } from '../generated/home.rules';
import { type Key, t } from './texts';

/** Where it stands on the home page, if at all. */
const order = [
  { kind: 'number', name: 'sort', label: 'sort', hint: 'sortHint', ...bannerRules.sort },
  { kind: 'check', name: 'shown', label: 'shown' },
] as const;
const title = { kind: 'texts', name: 'title', label: 'name', ...bannerRules.title } as const;

export const bannerTexts: FieldSpec<StaffBanner, Key>[] = [
  title,
  { kind: 'picture', name: 'image', label: 'image', picture: 'banners' },
  { kind: 'texts', name: 'image_alt', label: 'alt', ...bannerRules.image_alt },
];
export const bannerOrder: FieldSpec<StaffBanner, Key>[] = [...order];

const templates = ['grid', 'scroller', 'cards', 'strips', 'ranking', 'timed'] as const;
export const moduleTexts: FieldSpec<StaffModule, Key>[] = [
  title,
  { kind: 'texts', name: 'subtitle', label: 'subtitle', ...moduleRules.subtitle },
  {
    kind: 'select',
    name: 'template',
    label: 'template',
    options: Object.fromEntries(templates.map((one, index) => [`templates.${one}`, index + 1])),
  },
  {
    kind: 'number',
    name: 'countdown_hours',
    label: 'countdown',
    hint: 'countdownHint',
    ...moduleRules.countdown_hours,
  },
];
export const moduleOrder: FieldSpec<StaffModule, Key>[] = [...order];

export const itemPicture: FieldSpec<StaffModuleItem, Key>[] = [
  { kind: 'picture', name: 'image', label: 'image', picture: 'items', optional: true },
];
const item = [
  { name: 'title', label: 'itemTitle' },
  { name: 'image', label: 'image' },
  { name: 'goods', label: 'product' },
  { name: 'category', label: 'category' },
  { name: 'link_type', label: 'link' },
  { name: 'link_value', label: 'linkValue' },
] as const;
const all = [
  ...[...bannerTexts, ...moduleTexts, ...order, ...item.slice(-2)],
  { name: 'more_link', label: 'more' as const },
  { name: 'items', label: 'contents' as const, fields: item },
];
export const homeFieldName = (path: string): string | undefined => labelOf(all, t, path);
