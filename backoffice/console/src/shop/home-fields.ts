import type { StaffBanner, StaffModule, StaffModuleItem } from '@shop/backoffice/wire';
import { bannerRules, itemRules, moduleRules } from '../generated/home.rules';
import { type FieldSpec, labelOf } from '../kit/fields';
import { type Key, t } from './home-texts';

/** Position after the last item of a list; the list itself reorders items. */
export const placeAtEnd = (all: ReadonlyArray<{ value: { sort: number } }>): number =>
  Math.min(Math.max(0, ...all.map(({ value }) => value.sort)) + 10, bannerRules.sort.max);

const shown = { kind: 'check', name: 'shown', label: 'shown' } as const;
const title = { kind: 'texts', name: 'title', label: 'name', ...bannerRules.title } as const;

export const bannerTexts: FieldSpec<StaffBanner, Key>[] = [
  title,
  { kind: 'picture', name: 'image', label: 'image', picture: 'banners' },
  { kind: 'texts', name: 'image_alt', label: 'alt', ...bannerRules.image_alt },
];
export const bannerShown: FieldSpec<StaffBanner, Key>[] = [shown];

const templates = ['grid', 'scroller', 'cards', 'strips', 'ranking', 'timed'] as const;
export const moduleTexts: FieldSpec<StaffModule, Key>[] = [
  title,
  { kind: 'texts', name: 'subtitle', label: 'subtitle', ...moduleRules.subtitle },
  {
    kind: 'select',
    name: 'template',
    label: 'template',
    options: Object.fromEntries(templates.map((template, index) => [`templates.${template}`, index + 1])),
  },
  {
    kind: 'number',
    name: 'countdown_hours',
    label: 'countdown',
    hint: 'countdownHint',
    ...moduleRules.countdown_hours,
  },
];
export const moduleShown: FieldSpec<StaffModule, Key>[] = [shown];

export const itemTexts: FieldSpec<StaffModuleItem, Key>[] = [
  { kind: 'texts', name: 'title', label: 'itemTitle', hint: 'itemTitleHint', ...itemRules.title, optional: true },
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
  ...bannerTexts,
  ...moduleTexts,
  shown,
  ...item.slice(-2),
  { name: 'sort', label: 'sort' as const },
  { name: 'more_link', label: 'more' as const },
  { name: 'items', label: 'contents' as const, fields: item },
];
export const homeFieldName = (path: string): string | undefined => labelOf(all, t, path);
