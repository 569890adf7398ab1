import { exact, inBoth, oneOf, period, text } from '@shop/server/platform/http/edit-schemas';
import { PICTURE_PATTERN } from '@shop/server/platform/http/links';
import { Nullable } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { EditKeySchema } from '../edits/edits.service';

const PictureSchema = Type.String({ pattern: PICTURE_PATTERN, maxLength: 500 });
export const MOST_SORT = 1_000_000;
const SortSchema = Type.Integer({ minimum: 0, maximum: MOST_SORT });
const QuerySchema = Type.String({ pattern: '^[\\w=&+.%-]*$', maxLength: 300 });

/** Pages of the shop only: 0 none, 1 a product by its key, 2 a list by its query ("category=mobile"), 3 an article by its key. */
const link = { link_type: oneOf([0, 1, 2, 3] as const), link_value: QuerySchema };

export const StaffBannerSchema = exact({
  title: inBoth(100, 1),
  image: PictureSchema,
  image_alt: inBoth(200, 1),
  ...link,
  sort: SortSchema,
  shown: Type.Boolean(),
  ...period,
});
export type StaffBanner = Static<typeof StaffBannerSchema>;

const ItemSchema = exact({
  kind: oneOf(['goods', 'category', 'link'] as const),
  goods: Nullable(EditKeySchema),
  category: Nullable(EditKeySchema),
  /** null: the title of the product or category. */
  title: Nullable(inBoth(100)),
  image: Nullable(PictureSchema),
  tag: Nullable(inBoth(20)),
  /** 4, an https address, is allowed only if the item has it already: staff who edit the page cannot link to another site. */
  link_type: oneOf([0, 1, 2, 3, 4] as const),
  link_value: text(500),
});
export type StaffModuleItem = Static<typeof ItemSchema>;

export const StaffModuleSchema = exact({
  title: inBoth(100, 1),
  subtitle: inBoth(200),
  template: oneOf([1, 2, 3, 4, 5, 6] as const),
  /** Query of the list; null: no link. */
  more_link: Nullable(QuerySchema),
  countdown_hours: Nullable(Type.Integer({ minimum: 1, maximum: 8760 })),
  items: Type.Array(ItemSchema, { maxItems: 60 }),
  sort: SortSchema,
  shown: Type.Boolean(),
  ...period,
});
export type StaffModule = Static<typeof StaffModuleSchema>;

const KeysSchema = Type.Array(EditKeySchema, { maxItems: 1000 });
/** `keys` has the keys of all banners, or of all modules, in the new order; `before` is the order that the user saw. */
export const HomeOrderBodySchema = exact({ keys: KeysSchema, before: KeysSchema });
export type HomeOrder = Static<typeof HomeOrderBodySchema>;
